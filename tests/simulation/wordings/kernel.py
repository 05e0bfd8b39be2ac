"""What a host's kernel log says."""

from tests.simulation.clock import Clock


def out_of_memory(clock: Clock, host: str, at: float, pid: int) -> str:
    stamp = f"{clock.at(at):%b %d %H:%M:%S} {host.split('.')[0]} kernel: "
    return "\n".join(
        stamp + text
        for text in (
            "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
            f"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,task_memcg=/job,task=python3,pid={pid},uid=1000",
            f"Out of memory: Killed process {pid} (python3) total-vm:201334824kB, anon-rss:131072000kB, file-rss:72000kB, shmem-rss:0kB, UID:1000 pgtables:262144kB oom_score_adj:0",
        )
    )
