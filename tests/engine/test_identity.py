"""Who is who: whom a line concerns, by whatever the logs tell."""

from pathlib import Path

import pytest

from logsleuth.model.analysis import Culprits
from tests.small_jobs import analysed, only, rule, verdicts

WHO = rule("r.one", "when seen a.fall as x", "culprit x", verdict="{x}")
LOCAL = rule("r.one", "when seen a.local as x", "culprit x", verdict="{x}")
JOINS = """
event j.all "Names of one process." {
  witness launcher line "rank {r:int} is local rank {l:int} with pid {p:int} on {h}" about rank {r}, local_rank {l}, pid {p}, host {h}
}
event j.pid "Names of one process." { line "rank {r:int} has pid {p:int}" about rank {r}, pid {p} }
event j.local "Names of one process." { line "rank {r:int} is local rank {l:int}" about rank {r}, local_rank {l} }
event j.host "Where this is." { line "this is {h}" states host = {h} }
event j.me "Who this is." { line "I am rank {r:int}" states rank = {r} }
event j.mine "Who this is." { line "I am local rank {l:int}" states local_rank = {l} }
event j.own "Who this is." { line "my pid is {p:int}" states pid = {p} }
event j.ranks "The ranks of this host." { witness launcher line "my ranks are {all:ranks}" about job states ranks = {all} }
event j.each "The ranks of each host." { witness launcher line "{n:int} local ranks" about job states local_world_size = {n} }
event j.dead "A process died." { witness kernel line "killed process {p:int}" about pid {p} }
event j.on "A process died." { witness kernel line "killed process {p:int} of {h}" about pid {p}, host {h} }
event j.node "A host died." { witness scheduler line "node {h} is down" about host {h} }
event j.task "Tasks ended." { witness launcher line "{h}: tasks {all:ranks} ended" about host {h}, tasks {all} }
event j.bare "Tasks ended." { witness launcher line "tasks {all:ranks} ended" about tasks {all} }
event j.full "A host is out of memory." { witness scheduler line "out of memory on {h}" line "out of memory" about host {h} }
event j.peer "A rank is gone." { witness peer line "rank {r:int} went away" about rank {r} }
"""
DEAD = rule("r.one", "when seen j.dead as x", "culprit x", verdict="{x}")
ON = rule("r.one", "when seen j.on as x", "culprit x", verdict="{x}")
PEER = rule("r.one", "when seen j.peer as x", "culprit x", verdict="{x}")
TASK = rule("r.one", "when seen j.task as x", "culprit x", verdict="{x}")
BARE = rule("r.one", "when seen j.bare as x", "culprit x", verdict="{x}")
FULL = rule("r.one", "when seen j.full as x", "culprit x", verdict="{x}")
NODE = rule("r.one", "when seen j.node as x", "culprit x", verdict="{x}")


def culprits(folder: Path, rules: str, logs: dict[str, str] | str) -> Culprits:
    return only(folder, JOINS + rules, logs).culprits


def ranks(*numbers: int, hosts: tuple[str, ...] = ()) -> Culprits:
    return Culprits(ranks=numbers, hosts=hosts)


NOBODY = Culprits()


# What framing and names tell


@pytest.mark.parametrize(
    ("logs", "who"),
    [
        ({"x.log": "[rank3]: fell with code 1\n"}, ranks(3)),
        ({"x.log": "[default3]: fell with code 1\n"}, Culprits(local_ranks=(3,))),
        ({"x.log": "[default3]:[rank7]: fell with code 1\n"}, ranks(7)),
        ({"rank_3.log": "fell with code 1\n"}, ranks(3)),
        ({"rank_3/out.log": "fell with code 1\n"}, ranks(3)),
        ({"node-7/rank_3.log": "fell with code 1\n"}, ranks(3, hosts=("node-7",))),
        ({"rank_3.log": "[rank4]: fell with code 1\n"}, ranks(4)),
        ({"local_rank_3.log": "fell with code 1\n"}, Culprits(local_ranks=(3,))),
        ({"node-7.log": "[default3]: fell with code 1\n"}, Culprits(local_ranks=(3,), hosts=("node-7",))),
        ({"x.log": "0: hello\n1: hello\n2: fell with code 1\n" * 3}, ranks(2)),
        ({"x.log": "[1,5]<stdout>: fell with code 1\n"}, ranks(5)),
        ({"x.log": "fell with code 1\n"}, NOBODY),
    ],
)  # fmt: skip
def test_writers(tmp_path: Path, logs: dict[str, str], who: Culprits) -> None:
    assert culprits(tmp_path, WHO, logs) == who


def test_a_source_with_one_rank_and_nobody_else_is_that_ranks_own(tmp_path: Path) -> None:
    assert culprits(tmp_path, WHO, "[rank2]: hello\nfell with code 1\n") == ranks(2)


@pytest.mark.parametrize(
    "stranger", ["[rank3]: hello", "[default0]: hello", "saw rank 2 end", "node-7:4711:4720 [0] NCCL INFO hello"]
)  # fmt: skip
def test_a_source_in_which_others_speak_is_nobodys_own(tmp_path: Path, stranger: str) -> None:
    text = f"[rank2]: hello\n{stranger}\nfell with code 1\n"
    rules = WHO + rule("r.two", "when seen a.exit", severity="info")
    (verdict,) = (v for v in verdicts(tmp_path, rules, text) if v.rule == "r.one")
    assert verdict.culprits.ranks == ()


def test_ranks_of_files_are_local_where_several_hosts_have_the_same(tmp_path: Path) -> None:
    logs = {"node-1/rank_0.log": "hello\n", "node-2/rank_0.log": "fell with code 1\n", "node-2/rank_1.log": "hello\n"}
    assert culprits(tmp_path, WHO, logs) == Culprits(local_ranks=(0,), hosts=("node-2",))


def test_ranks_of_files_are_global_where_each_is_on_one_host(tmp_path: Path) -> None:
    logs = {"node-1/rank_0.log": "hello\n", "node-1/rank_0.err": "hello\n", "node-2/rank_1.log": "fell with code 1\n"}
    assert culprits(tmp_path, WHO, logs) == ranks(1, hosts=("node-2",))


# Joins


def test_a_pid_leads_to_a_rank_over_files(tmp_path: Path) -> None:
    logs = {"a.log": "rank 3 has pid 4711\nrank 4 has pid 4712\n", "kernel.log": "killed process 4711\n"}
    assert culprits(tmp_path, DEAD, logs) == ranks(3)


def test_what_is_told_late_counts_as_well(tmp_path: Path) -> None:
    logs = {"a.log": "killed process 4711\n", "b.log": "rank 3 has pid 4711\n"}
    assert culprits(tmp_path, DEAD, logs) == ranks(3)


def test_a_local_rank_leads_to_a_rank_in_its_source_and_on_its_host(tmp_path: Path) -> None:
    logs = {
        "a.log": "rank 5 is local rank 1 with pid 4711 on node-2\n",
        "node-1/out.log": "hello\n", "node-2/out.log": "[default1]: fell with code 1\n",
    }  # fmt: skip
    assert culprits(tmp_path / "a", WHO, logs) == ranks(5, hosts=("node-2",))
    assert culprits(tmp_path / "b", LOCAL, "rank 5 is local rank 1\nsaw local rank 1 end (pid 9)\n") == ranks(5)


def test_a_local_rank_of_another_host_is_another_process(tmp_path: Path) -> None:
    logs = {
        "a.log": "rank 5 is local rank 1 with pid 4711 on node-2\n",
        "node-1/out.log": "[default1]: fell with code 1\n",
    }
    assert culprits(tmp_path, WHO, logs) == Culprits(local_ranks=(1,), hosts=("node-1",))


def test_a_pid_of_another_host_is_another_process(tmp_path: Path) -> None:
    facts = "rank 5 is local rank 1 with pid 4711 on node-2\nrank 1 is local rank 1 with pid 4711 on node-1\n"
    assert culprits(tmp_path / "a", ON, {"a.log": facts, "k.log": "killed process 4711 of node-1\n"}) == ranks(
        1, hosts=("node-1",)
    )
    assert culprits(tmp_path / "b", ON, {"a.log": facts, "k.log": "killed process 4711 of node-2\n"}) == ranks(
        5, hosts=("node-2",)
    )
    assert culprits(tmp_path / "c", DEAD, {"a.log": facts, "k.log": "killed process 4711\n"}).ranks == ()


def test_a_pid_that_only_another_host_has_is_not_joined(tmp_path: Path) -> None:
    facts = "rank 5 is local rank 1 with pid 4711 on node-2\nrank 1 is local rank 1 with pid 4810 on node-1\n"
    logs = {"a.log": facts, "node-1/kernel.log": "killed process 4711\n"}
    assert culprits(tmp_path / "a", DEAD, logs) == Culprits(hosts=("node-1",))
    logs = {"a.log": facts, "node-2/kernel.log": "killed process 4711\n"}
    assert culprits(tmp_path / "b", DEAD, logs) == ranks(5, hosts=("node-2",))


def test_a_pid_on_a_host_by_another_name_is_joined(tmp_path: Path) -> None:
    """The kernel log goes by the name of the node, the job's lines by those of its pods."""
    logs = {
        "a.log": "rank 5 is local rank 1 with pid 4711 on pod-2\n",
        "node-9/kernel.log": "killed process 4711\n",
    }
    assert culprits(tmp_path, DEAD, logs).ranks == (5,)


def test_a_host_that_a_line_states_is_that_of_its_source(tmp_path: Path) -> None:
    logs = {
        "a.log": "rank 5 is local rank 1 with pid 4711 on node-2\n",
        "b.log": "this is node-2\n[default1]: fell with code 1\n",
    }
    assert culprits(tmp_path, WHO, logs) == ranks(5, hosts=("node-2",))


@pytest.mark.parametrize(
    "first", ["this is node-2\nrank 5 is local rank 1\n", "rank 5 is local rank 1\nthis is node-2\n"]
)
def test_the_order_in_which_facts_are_told_changes_nothing(tmp_path: Path, first: str) -> None:
    logs = {"a.log": first, "b.log": "this is node-2\n[default1]: fell with code 1\n", "c.log": "this is node-3\n"}
    assert culprits(tmp_path, WHO, logs) == ranks(5, hosts=("node-2",))


def test_hosts_are_known_by_their_first_label(tmp_path: Path) -> None:
    logs = {
        "a.log": "rank 5 is local rank 1 with pid 4711 on node-2.cluster.example\n",
        "node-2/x.log": "[default1]: fell with code 1\n",
    }
    assert culprits(tmp_path, WHO, logs) == ranks(5, hosts=("node-2",))


def test_a_line_may_state_the_rank_of_its_writer(tmp_path: Path) -> None:
    assert culprits(tmp_path, WHO, {"a.log": "I am rank 6\nfell with code 1\n", "b.log": "hello\n"}) == ranks(6)


def test_a_line_may_state_the_local_rank_and_the_pid_of_its_writer(tmp_path: Path) -> None:
    assert culprits(tmp_path / "a", WHO, "I am local rank 3\nfell with code 1\n") == Culprits(local_ranks=(3,))
    logs = {"a.log": "my pid is 4711\nfell with code 1\n", "b.log": "rank 3 has pid 4711\n"}
    assert culprits(tmp_path / "b", WHO, logs) == ranks(3)
    assert culprits(tmp_path / "c", WHO, "I am local rank 3\nI am rank 7\nfell with code 1\n") == ranks(7)


def test_tasks_are_no_ranks_where_each_is_an_agent(tmp_path: Path) -> None:
    text = "0: hello\n1: hello\n0: fell with code 1\n1: saw local rank 1 end (pid 9)\n" * 3
    rules = WHO + rule("r.two", "when seen a.local", severity="info")
    (verdict,) = (v for v in verdicts(tmp_path, rules, text) if v.rule == "r.one")
    assert verdict.culprits.ranks == ()


@pytest.mark.parametrize(
    ("proof", "who"),
    [
        ("", Culprits(hosts=("node-2",))),
        ("the job has 4 ranks\n", ranks(3, hosts=("node-2",))),
        ("the job has 16 ranks\n", Culprits(hosts=("node-2",))),
        ("the job has 2 ranks\n", Culprits(hosts=("node-2",))),
        ("rank 3 is local rank 1 with pid 9 on node-2\n", Culprits(hosts=("node-2",))),
        ("the job has 4 ranks\nmy ranks are [0, 1]\n", Culprits(hosts=("node-2",))),
    ],
)  # fmt: skip
def test_a_task_that_a_launcher_names_is_a_rank_only_where_that_is_proved(
    tmp_path: Path, proof: str, who: Culprits
) -> None:
    assert culprits(tmp_path, TASK, proof + "node-2: tasks 3 ended\n") == who


def test_labels_with_task_and_rank_prove_that_tasks_are_ranks(tmp_path: Path) -> None:
    end = "node-2: tasks 3 ended\n"
    agree = "1: [rank1]: hello\n0: [rank0]: hello\n" * 4
    assert culprits(tmp_path / "a", TASK, {"a.log": agree, "b.log": end}) == ranks(3, hosts=("node-2",))
    differ = "1: [rank2]: hello\n0: [rank0]: hello\n" * 4
    assert culprits(tmp_path / "b", TASK, {"a.log": differ, "b.log": end}) == Culprits(hosts=("node-2",))


def test_a_host_with_several_tasks_proves_that_tasks_are_ranks(tmp_path: Path) -> None:
    rules = TASK + rule("r.two", "when seen j.bare", severity="info")
    assert culprits(tmp_path / "a", rules, "node-2: tasks 2-3 ended\n") == ranks(2, 3, hosts=("node-2",))
    assert culprits(tmp_path / "b", rules, "node-1: tasks 2 ended\nnode-2: tasks 3 ended\n") == Culprits(
        hosts=("node-1", "node-2")
    )


def test_hosts_of_ranks_tell_whether_tasks_are_ranks(tmp_path: Path) -> None:
    ends = "node-1: tasks 1 ended\n"
    rules = TASK + rule("r.two", "when seen j.host", severity="info")
    logs = {"srun.log": ends, "node-0/rank_0.log": "hello\n", "node-1/rank_1.log": "hello\n"}
    assert culprits(tmp_path / "a", rules, logs) == ranks(1, hosts=("node-1",))
    logs = {
        "srun.log": "node-0: tasks 0 ended\n" + ends,
        "node-0/rank_0.log": "hello\n", "node-0/rank_1.log": "hello\n", "node-1/rank_2.log": "hello\n",
    }  # fmt: skip
    assert culprits(tmp_path / "b", rules, logs) == Culprits(hosts=("node-0", "node-1"))
    logs = {"srun.log": ends, "pod-0/rank_0.log": "hello\n", "pod-1/rank_1.log": "hello\n"}
    assert culprits(tmp_path / "c", rules, logs) == Culprits(hosts=("node-1",))


def test_tasks_without_a_host_name_nobody_unless_they_are_ranks(tmp_path: Path) -> None:
    assert culprits(tmp_path / "a", BARE, {"node-7/rank_1.log": "tasks 3 ended\n"}) == NOBODY
    assert culprits(tmp_path / "b", BARE, "the job has 4 ranks\ntasks 3 ended\n") == ranks(3)


def test_what_a_scheduler_says_of_nobody_concerns_the_host_at_most(tmp_path: Path) -> None:
    assert culprits(tmp_path / "a", FULL, {"node-7/rank_1.log": "out of memory\n"}) == Culprits(hosts=("node-7",))
    assert culprits(tmp_path / "b", FULL, {"rank_1.log": "out of memory\n"}) == NOBODY


def test_an_agent_may_state_the_ranks_of_its_host(tmp_path: Path) -> None:
    logs = {
        "a.log": "my ranks are [4, 5, 6, 7]\nsaw local rank 2 end (pid 9)\n",
        "b.log": "my ranks are [0, 1, 2, 3]\n",
    }
    assert culprits(tmp_path, LOCAL, logs) == ranks(6)


# Contradictions


@pytest.mark.parametrize(
    ("facts", "death", "rules"),
    [
        ("rank 3 has pid 4711\nrank 4 has pid 4711\n", "killed process 4711\n", DEAD),
        ("rank 3 is local rank 1\nrank 4 is local rank 1\n", "saw local rank 1 end (pid 9)\n", LOCAL),
        ("I am rank 3\nI am rank 4\n", "fell with code 1\n", WHO),
    ],
)  # fmt: skip
def test_facts_that_contradict_each_other_cancel(tmp_path: Path, facts: str, death: str, rules: str) -> None:
    assert culprits(tmp_path, rules, facts + death).ranks == ()


def test_a_source_of_two_hosts_is_of_none(tmp_path: Path) -> None:
    assert culprits(tmp_path, WHO, "this is node-1\nthis is node-2\n[rank3]: fell with code 1\n") == ranks(3)


# Local ranks of jobs of one host


@pytest.mark.parametrize(
    ("facts", "who"),
    [
        ("the job has 4 ranks\n4 local ranks\n", ranks(2)), ("the job has 8 ranks\n4 local ranks\n", Culprits(local_ranks=(2,))), ("", Culprits(local_ranks=(2,))),
        ("the job has 4 ranks\n", Culprits(local_ranks=(2,))), ("rank 0 is local rank 0\nrank 1 is local rank 1\n", ranks(2)),
        ("rank 0 is local rank 0\nrank 5 is local rank 1\n", Culprits(local_ranks=(2,))),
    ],
)  # fmt: skip
def test_a_local_rank_is_a_rank_only_where_the_job_is_known_to_have_one_host(
    tmp_path: Path, facts: str, who: Culprits
) -> None:
    assert culprits(tmp_path, LOCAL, facts + "saw local rank 2 end (pid 9)\n") == who


# Whom an event is about


def test_an_event_about_a_host_names_the_host(tmp_path: Path) -> None:
    assert culprits(tmp_path, NODE, "node node-7.cluster.example is down\n") == Culprits(hosts=("node-7",))


def test_an_event_about_the_job_names_nobody(tmp_path: Path) -> None:
    named = rule("r.one", "when seen a.notice as x", "culprit x", verdict="{x}")
    verdict = only(tmp_path, named, {"node-7/rank_3.log": "notice: here\n"})
    assert (verdict.culprits, verdict.summary) == (NOBODY, "The job")


def test_a_peer_elsewhere_does_not_lend_its_host(tmp_path: Path) -> None:
    """Where another process speaks of a rank, the host of that process is not the rank's."""
    logs = {"node-1/rank_0.log": "rank 9 went away\n", "node-2/rank_1.log": "hello\n"}
    assert culprits(tmp_path / "a", PEER, logs) == ranks(9)
    logs = {"node-1/rank_0.log": "rank 9 went away\n", "node-2/rank_9.log": "hello\n"}
    assert culprits(tmp_path / "b", PEER, logs) == ranks(9, hosts=("node-2",))
    logs = {"node-1/rank_0.log": "rank 9 went away\n", "x.log": "rank 9 is local rank 1 with pid 4 on node-3\n"}
    assert culprits(tmp_path / "c", PEER, logs) == ranks(9, hosts=("node-3",))


def test_a_launcher_lends_its_host_to_its_own_processes(tmp_path: Path) -> None:
    assert culprits(tmp_path, LOCAL, {"node-3/agent.log": "saw local rank 1 end (pid 9)\n"}) == Culprits(
        local_ranks=(1,), hosts=("node-3",)
    )


# Inside blocks


TABLE = """
event t.row "A row of the launcher's table." {
  witness launcher
  block within 9 lines { line "Row of rank {r:int}" maybe line "  text: {t:text}" line "End of row" }
  about rank {r}
}
event t.trace "What a rank said." { line "it said {what}" }
event t.other "Somebody else's." { line "rank {r:int} is to blame" about rank {r} }
"""
SAID = rule("r.one", "when seen t.trace as x", "culprit x", verdict="{x}")
ROWS = "Row of rank 2\n  it said ouch\nEnd of row\nRow of rank 3\nEnd of row\n"


def said(folder: Path, text: str) -> list[int]:
    rules = TABLE + SAID + rule("r.row", "when seen t.row", severity="info")
    (verdict,) = (v for v in verdicts(folder, rules, text) if v.rule == "r.one")
    return list(verdict.culprits.ranks)


def test_an_event_in_a_block_concerns_whom_the_block_concerns(tmp_path: Path) -> None:
    assert said(tmp_path, ROWS) == [2]


def test_an_event_outside_of_the_block_does_not(tmp_path: Path) -> None:
    assert said(tmp_path, "it said ouch\n" + ROWS.replace("  it said ouch\n", "")) == []
    assert said(tmp_path / "b", ROWS.replace("  it said ouch\n", "") + "it said ouch\n") == []


def test_an_event_of_another_writer_in_between_does_not(tmp_path: Path) -> None:
    assert said(tmp_path, ROWS.replace("  it said", "[rank7]: it said")) == [7]


def test_an_event_that_says_whom_it_is_about_keeps_that(tmp_path: Path) -> None:
    rules = (
        TABLE + rule("r.one", "when seen t.other as x", "culprit x") + rule("r.row", "when seen t.row", severity="info")
    )
    text = ROWS.replace("it said ouch", "rank 8 is to blame")
    (verdict,) = (v for v in verdicts(tmp_path, rules, text) if v.rule == "r.one")
    assert verdict.culprits.ranks == (8,)


def test_blocks_of_many_writers_at_once(tmp_path: Path) -> None:
    """Six launchers whose tables run into each other: each line is in the block of its own writer."""

    def lines(text: str) -> str:
        return "".join(f"[1,{task}]<stdout>:{text.format(task + 10)}\n" for task in range(6))

    text = lines("Row of rank {}") + lines("  it said ouch") + lines("End of row")
    assert said(tmp_path, text) == [10, 11, 12, 13, 14, 15]


# Who is there


def test_what_a_launcher_quotes_of_a_rank_is_no_line_of_its_own(tmp_path: Path) -> None:
    rules = TABLE + SAID + rule("r.row", "when seen t.row", severity="info")
    (job,) = analysed(tmp_path, rules, "[rank0]: hello\n" + ROWS).jobs
    assert (job.seen_ranks, job.silent_ranks) == ((0,), (1, 2, 3))


def test_localhost_is_no_host(tmp_path: Path) -> None:
    """Every host calls itself so: what two of them say of pid 77 is said of two processes."""
    logs = {
        "node-7/x.log": "rank 3 is local rank 1 with pid 77 on localhost\nkilled process 77 of localhost\n",
        "node-8/x.log": "rank 7 is local rank 1 with pid 77 on localhost\n",
    }
    assert culprits(tmp_path, ON, logs) == ranks(3, hosts=("node-7",))
