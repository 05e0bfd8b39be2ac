"""What is a hole of a text of a rule?"""

import re

TEXT_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
"""A hole of a verdict, chain, remedy or next: ``{x}``, ``{x.field}``, ``{x.field|a while}``, ``{count(x)}``."""
HOLE_CONTENT = re.compile(r"([A-Za-z_]\w*)(?:(?:\.([A-Za-z_]\w*))?(?:\|([^{}|]+))?)|count\(([A-Za-z_]\w*)\)")
"""What may stand in one."""
