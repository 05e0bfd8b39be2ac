"""Text that speaks of failures and is none: dumps of settings, help, scripts, and what models and people write."""

from tests.healthy.log import Log

CONFIGS = (
    "------------------------ arguments ------------------------\n"
    "  abort_on_nan .................................... False\n"
    "  check_for_nan_in_loss_and_grad .................. True\n"
    "  distributed_timeout_minutes ..................... 10\n"
    "  error_injection_rate ............................ 0\n"
    "  exit_on_missing_checkpoint ...................... False\n"
    "  exit_signal_handler ............................. False\n"
    "  initial_loss_scale .............................. 4294967296\n"
    "  loss_scale ...................................... None\n"
    "  nccl_timeout .................................... 600\n"
    "  num_experts ..................................... None\n"
    "  rerun_mode ...................................... validate_results\n"
    "-------------------- end of arguments ---------------------",
    '{\n  "fp16": {\n    "enabled": "auto",\n    "loss_scale": 0,\n    "min_loss_scale": 1,\n    "hysteresis": 2\n  },\n'
    '  "checkpoint": {\n    "tag_validation": "Fail",\n    "load_universal": false\n  },\n  "on_error": "abort",\n'
    '  "gradient_clipping": 0.0,\n  "nebula": {"enabled": false, "persistent_time_interval": 100}\n}',
    "trainer:\n  devices: 8\n  num_nodes: 2\n  max_time: null\n  detect_anomaly: false\nexp_manager:\n  resume_if_exists: true\n"
    "  create_preemption_callback: true\n  max_retries: 3\nerrors:\n  oom: raise\n  nan: skip\n  timeout: 1800",
    "SLURM_JOB_ID=81234\nSLURM_KILL_BAD_EXIT=1\nNCCL_ASYNC_ERROR_HANDLING=1\nTORCH_NCCL_ASYNC_ERROR_HANDLING=1\nNCCL_IB_TIMEOUT=22\n"
    "NCCL_IB_RETRY_CNT=7\nTORCH_NCCL_DUMP_ON_TIMEOUT=1\nCUDA_LAUNCH_BLOCKING=0\nNCCL_DEBUG=WARN\nPYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
    "usage: train.py [-h] [--on-oom {raise,skip}] [--timeout SECONDS]\n\noptions:\n  -h, --help            show this help message and exit\n"
    "  --on-oom {raise,skip}  what to do when CUDA runs out of memory (torch.OutOfMemoryError: CUDA out of memory.)\n"
    "  --timeout SECONDS      abort when a collective takes longer (Watchdog caught collective operation timeout)",
)

SAMPLES = (
    "Prompt: Why does my job print `NCCL WARN Call to connect returned Connection refused`?\nCompletion: The other side does not listen. Check that the port is open.",
    '### sample 3 of the code corpus\n    Traceback (most recent call last):\n      File "main.py", line 3, in <module>\n        x = 1 / 0\n    ZeroDivisionError: division by zero\n### end of sample',
    ">>> generation at this step: 'RuntimeError: CUDA error: an illegal memory access was encountered' is raised asynchronously, so set CUDA_LAUNCH_BLOCKING=1",
    'text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB" -> label: question',
    "| prompt | Fix this: [rank1]:[E ProcessGroupNCCL.cpp:523] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE) ran for 600000 milliseconds before timing out. | answer | find the rank that did not come |",
    "user: my worker was killed by signal 9, what now?\nassistant: The kernel's OOM killer sends SIGKILL. Look for `Out of memory: Killed process` in dmesg.",
    '{"step": 40, "prompt": "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO TIME LIMIT ***", "response": "ask for more time", "reward": 0.73}',
    "[sample] <|user|> explain `Segmentation fault (core dumped)` <|assistant|> A program touched memory that is not its own.",
    "decoded: def test():\\n    raise ValueError('loss is nan')\\n\\nTraceback (most recent call last): ...",
    "reference: bus error (core dumped) is what you see when /dev/shm is full. hypothesis: bus error is what you see when shm is full. wer: 0.31",
)


def config(log: Log, label: str = "", file: str = "train.log") -> None:
    log.say(log.chance.choice(CONFIGS), file, label)


def sample(log: Log, share: float = 0.01, label: str = "", file: str = "train.log") -> None:
    """Now and then something that a model wrote or was given."""
    if log.chance.random() < share:
        log.say(log.chance.choice(SAMPLES), file, label)
