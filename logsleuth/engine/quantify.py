"""What a quantifier says of members of whom some may be unknown."""

from logsleuth.engine.truth import Truth


def quantify(quantifier: str, number: float, yes: int, unknown: int, total: int, more: bool) -> Truth:
    """A quantifier over ``total`` members of which ``yes`` have it and ``unknown`` may have it.

    ``more`` where the size of the job is not stated, so that there may be any number of further members.
    """
    most = yes + unknown
    if quantifier == "some":
        return True if yes else None if unknown else False
    if quantifier == "no":
        return False if yes else None if unknown else True
    if quantifier == "every":
        return None if yes == total and more else True if yes == total else None if most >= total else False
    if quantifier == "exactly":
        if yes > number or (most < number and not more):
            return False
        return None if unknown or more else yes == number
    if quantifier == "all but":
        # Further members can only be more who do not have it.
        if total - most > number or (total - yes < number and not more):
            return False
        return None if unknown or more else total - yes == number
    if quantifier == "at least":
        return True if yes >= number else None if most >= number or more else False
    # ``most`` is more than half, a percentage is at least that share.
    if _is_share(quantifier, number, yes, total):
        return None if more else True
    return None if more or _is_share(quantifier, number, most, total) else False


def _is_share(quantifier: str, number: float, count: int, total: int) -> bool:
    return count * 2 > total if quantifier == "most" else count * 100 >= number * total
