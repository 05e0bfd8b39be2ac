"""Jobs that fell and came back: elastic groups that grow, restarts of the agent, requeued jobs in one file."""

from tests.healthy import noise
from tests.healthy.log import Family, Log


def _steps(log: Log, until: float) -> None:
    while log.written < log.wanted * until and log.has_room():
        log.say(f"{{day}} {{clock}},{{ms}} INFO step {log.step} loss {log.loss:.4f} time {log.seconds:.3f}s")
        noise.on_the_way(log, 0.01)


def resize(log: Log) -> None:
    """A node joins, the workers begin anew and train to the end."""
    log.say(noise.OMP)
    _steps(log, 0.4)
    log.say(
        "I{glog} 2204 torch/distributed/elastic/agent/server/api.py:950] [default] Detected 1 new nodes from group_rank=0; will restart worker group\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:739] [default] Stopping worker group\nW{glog} 2204 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 2311 closing signal SIGTERM\nW{glog} 2204 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 2312 closing signal SIGTERM\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:525] [default] Rendezvous'ing worker group\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:525] [default] Rendezvous complete for workers. Result:\n  restart_count=0\n  master_addr=node-7\n  master_port=41822\n  group_rank=0\n  group_world_size=2\n  local_ranks=[0, 1]\n  role_ranks=[0, 1]\n  global_ranks=[0, 1]\n  role_world_sizes=[4, 4]\n  global_world_sizes=[4, 4]\n"
    )
    noise.start(log)
    _steps(log, 1.0)
    log.say(
        "I{glog} 2204 torch/distributed/elastic/agent/server/api.py:879] [default] worker group successfully finished. Waiting 300 seconds for other agents to finish.\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:932] Done waiting for other agents. Elapsed: 0.001 seconds"
    )


def restarted(log: Log) -> None:
    """A worker dies, the agent starts the group anew, and that trains to the end."""
    _steps(log, 0.4)
    log.say(
        "E{glog} 2204 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -9) local_rank: 1 (pid: 2312) of binary: /usr/bin/python3\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:900] [default] Worker group FAILED. 3/3 attempts left; will restart worker group\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:739] [default] Stopping worker group\nI{glog} 2204 torch/distributed/elastic/agent/server/api.py:525] [default] Rendezvous'ing worker group"
    )
    log.go_on(20)
    log.say("resuming from /ckpt/last")
    _steps(log, 1.0)
    log.say(
        "I{glog} 2204 torch/distributed/elastic/agent/server/api.py:879] [default] worker group successfully finished. Waiting 300 seconds for other agents to finish."
    )


def preempted(log: Log) -> None:
    """SLURM takes the nodes away and starts the job again, which writes to the same file."""
    _steps(log, 0.4)
    log.say(
        "slurmstepd: error: *** JOB 81234 ON node-7 CANCELLED AT {day}T{clock} DUE TO PREEMPTION ***\nsrun: Job step aborted: Waiting up to 32 seconds for job step to finish.\nslurmstepd: error: *** STEP 81234.0 ON node-7 CANCELLED AT {day}T{clock} DUE TO PREEMPTION ***"
    )
    log.go_on(900)
    log.say("+ torchrun --nproc_per_node 8 train.py --resume auto\n" + noise.OMP)
    noise.start(log)
    _steps(log, 1.0)
    log.say("training finished")
    noise.end(log)


FAMILIES = (Family("resize", resize), Family("restarted", restarted), Family("preempted", preempted))
