from logsleuth.engine.peers import Peers, Told
from logsleuth.engine.scope import Scope
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language import syntax as s

RANKS = [Member(MemberKind.RANK, (rank,)) for rank in range(64)]


def test_every_member_is_asked_once_however_many_ask_of_it() -> None:
    asked: list[Member] = []

    def work_out(member: Member) -> Told | None:
        asked.append(member)
        return Told(member, member.rank, [])

    peers, node, scope = Peers(), s.Value(1), Scope(0)
    for _ in RANKS:
        found = peers.of(node, scope, RANKS, work_out)
    assert [told.value for told in found.told] == list(range(64))
    assert asked == RANKS


def test_another_attempt_is_asked_anew_and_what_is_unknown_is_left_out() -> None:
    peers, node = Peers(), s.Value(1)
    told = Told(RANKS[1], 2.5, [])
    assert peers.of(node, Scope(0), RANKS, lambda _: None).told == []
    assert peers.of(node, Scope(1), RANKS, lambda member: told if member == RANKS[1] else None).told == [told]
