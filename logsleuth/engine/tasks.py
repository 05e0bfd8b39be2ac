"""Are the numbers of a launcher's tasks ranks?

srun numbers its tasks, and where each task is one process of the job these numbers are its ranks. Where each task is an
agent of torchrun they are not: then a number only tells a node.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence


class Tasks:
    """What is told of tasks by their numbers: by labels of lines, by names of files, by the launcher itself."""

    def __init__(self) -> None:
        self._pairs: set[tuple[int, int]] = set()
        """(task, rank) wherever a line or a file tells both."""
        self._numbers: set[int] = set()
        self._hosts: dict[int, set[str]] = defaultdict(set)
        self._is_crowded = False
        """Whether some host has several tasks, by their numbers."""

    def label(self, task: int, rank: int | None) -> None:
        """A line or a file is labelled with a task, and perhaps with a rank."""
        self._numbers.add(task)
        if rank is not None:
            self._pairs.add((task, rank))

    def tell(self, numbers: Collection[int], hosts: Sequence[str]) -> None:
        """The launcher speaks of tasks, on hosts where it says which: together, so that of several it is not known
        which task is on which."""
        self._numbers.update(numbers)
        self._is_crowded |= 0 < len(hosts) < len(numbers)
        if len(hosts) == 1:
            for number in numbers:
                self._hosts[number].add(hosts[0])

    def are_ranks(self, sizes: set[int], hosts_of_ranks: Mapping[int, str]) -> bool:
        """Whether all that is told agrees that task n is rank n, and something proves it.

        Proofs: labels that tell both; a job of as many ranks as tasks; a host with several tasks, since an agent is
        started once a host; a rank that runs where the task of its number does (but for 0, which is on the first host
        anyhow).
        """
        hosts = {task: next(iter(names)) for task, names in self._hosts.items() if len(names) == 1}
        if any(len(names) > 1 for names in self._hosts.values()) or any(task != rank for task, rank in self._pairs):
            return False
        least = max(self._numbers, default=-1) + 1
        if any(size < least for size in sizes):
            return False
        met = [task for task in hosts if task in hosts_of_ranks]
        # Hosts by other names (a pod's, an address) say nothing.
        comparable = {hosts_of_ranks[task] for task in met} & set(hosts.values())
        if comparable and any(hosts[task] != hosts_of_ranks[task] for task in met):
            return False
        if self._pairs or sizes == {least}:
            return True
        return self._is_crowded or len(set(hosts.values())) < len(hosts) or any(task > 0 for task in met if comparable)

    def name_ranks(self, sizes: set[int]) -> bool:
        """Whether that is proved of numbers in the names of files too, which may count anything (runs, restarts, jobs
        of an array): by the size of the job, or by a rank other than 0, since any log by itself is of a rank 0."""
        return sizes == {max(self._numbers, default=-1) + 1} or any(task == rank > 0 for task, rank in self._pairs)
