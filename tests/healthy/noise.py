"""What goes wrong for a moment and recovers, and what warns of nothing: at the start, on the way, and at the end."""

from tests.healthy.log import Log

OMP = """W{glog} 2204 torch/distributed/run.py:793]
W{glog} 2204 torch/distributed/run.py:793] *****************************************
W{glog} 2204 torch/distributed/run.py:793] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed.
W{glog} 2204 torch/distributed/run.py:793] *****************************************"""

AT_START = (
    OMP,
    "WARNING:torch.distributed.run:\n*****************************************\nSetting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. \n*****************************************",
    "[W{glog} socket.cpp:697] [c10d] The client socket has failed to connect to [node-7]:29500 (errno: 111 - Connection refused).\n[W{glog} socket.cpp:697] [c10d] The client socket has failed to connect to [node-7]:29500 (errno: 111 - Connection refused).\n[I{glog} socket.cpp:884] [c10d] The client socket has connected to [node-7]:29500 on [node-8]:41822.",
    "[W socket.cpp:436] [c10d] The server socket cannot be initialized on [::]:29500 (errno: 97 - Address family not supported by protocol).",
    "[W socket.cpp:663] [c10d] The IPv6 network addresses of (node-7, 29500) cannot be retrieved (gai error: -2 - Name or service not known).",
    "{day} {clock}.413377: E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:467] Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT when one has already been registered\nWARNING: All log messages before absl::InitializeLog() is called are written to STDERR\nE0000 00:00:1740000000.413377    2204 cuda_dnn.cc:8579] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered\nE0000 00:00:1740000000.418120    2204 cuda_blas.cc:1407] Unable to register cuBLAS factory: Attempting to register factory for plugin cuBLAS when one has already been registered",
    "{day} {clock}.901021: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT",
    "WARNING:root:apex is not installed: No module named 'apex'. Falling back to torch.optim.AdamW.",
    "flash_attn is not installed (ImportError: No module named 'flash_attn'), falling back to eager attention.",
    "fused_layer_norm_cuda not found, falling back to torch LayerNorm: /opt/venv/lib/python3.11/site-packages/fused_layer_norm_cuda.so: cannot open shared object file: No such file or directory",
    "/opt/venv/lib/python3.11/site-packages/torchvision/io/image.py:13: UserWarning: Failed to load image Python extension: 'libpng16.so.16: cannot open shared object file: No such file or directory' If you don't plan on using image functionality from `torchvision.io`, you can ignore this warning.\n  warn(",
    "huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...\nTo disable this warning, you can either:\n\t- Avoid using `tokenizers` before the fork if possible\n\t- Explicitly set the environment variable TOKENIZERS_PARALLELISM=(true | false)",
    "'(ReadTimeoutError(\"HTTPSConnectionPool(host='huggingface.co', port=443): Read timed out. (read timeout=10)\"), '(Request ID: 5bd1c0de-3b1e-4c55-9a6e-0f6d1a6f3a11)')' thrown while requesting HEAD https://huggingface.co/org/model/resolve/main/tokenizer.json\nRetrying in 1s [Retry 1/5].",
    "HTTP Error 429 thrown while requesting GET https://huggingface.co/api/datasets/org/corpus/tree/main\nRetrying in 2s [Retry 2/5].",
    "WARNING:urllib3.connectionpool:Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f1c2e6f7d90>: Failed to establish a new connection: [Errno 110] Connection timed out')': /simple/wandb/",
    "Downloading shards:   0%|          | 0/4 [00:00<?, ?it/s]\rDownloading shards: 100%|██████████| 4/4 [00:21<00:00,  5.30s/it]",
    "WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:\n    PyTorch 2.1.0+cu121 with CUDA 1201 (you have 2.4.0+cu124)\n  Memory-efficient attention, SwiGLU, sparse and more won't be available.\n  Set XFORMERS_MORE_DETAILS=1 for more details",
    "[WARNING]  async_io requires the dev libaio .so object and headers but these were not found.\n [WARNING]  async_io: please install the libaio-dev package with apt\n [WARNING]  If libaio is already installed (perhaps from source), try setting the CFLAGS and LDFLAGS environment variables to where it can be found.\n [WARNING]  Please specify the CUTLASS repo directory as environment variable $CUTLASS_PATH",
    "node-7:2204:2204 [0] NCCL INFO NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.\nnode-7:2204:2204 [0] NCCL INFO Failed to open libibverbs.so[.1]\nnode-7:2204:2204 [0] NCCL INFO NET/Socket : Using [0]eth0:10.20.0.7<0>",
    "/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py:557: UserWarning: This DataLoader will create 16 worker processes in total. Our suggested max number of worker in current system is 8, which is smaller than what this DataLoader is going to create. Please be aware that excessive worker creation might get DataLoader running slow or even freeze, lower the worker number to avoid potential slowness/freeze if necessary.\n  warnings.warn(_create_warning_msg(",
    "wandb: Network error (ConnectionError), entering retry loop.\nwandb: Currently logged in as: somebody (team). Use `wandb login --relogin` to force relogin",
    "+ export NCCL_ASYNC_ERROR_HANDLING=1\n+ export TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC=1800\n+ [[ -n '' ]]\n+ echo 'will retry on CUDA out of memory or NCCL error, killed jobs are requeued'\nwill retry on CUDA out of memory or NCCL error, killed jobs are requeued\n+ trap 'echo ERROR: job killed by SIGTERM; exit 143' TERM\n+ timeout 24h python train.py --on-oom raise --nccl-timeout 1800",
    "[rank0]:[W{glog} ProcessGroupNCCL.cpp:4115] [PG ID 0 PG GUID 0 Rank 0]  using GPU 0 to perform barrier as devices used by this process are currently unknown. This can potentially cause a hang if this rank to GPU mapping is incorrect. Specify device_ids in barrier() to force use of a particular device, or call init_process_group() with a device_id.",
    "Warning: Permanently added 'node-8,10.20.0.8' (ED25519) to the list of known hosts.",
    "srun: warning: can't run 1 processes on 2 nodes, setting nnodes to 1",
    "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)",
    "No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'",
)
"""Before the first step."""

ON_THE_WAY = (
    "wandb: Network error (ReadTimeout), entering retry loop.",
    "wandb: 429 encountered (Filestream rate limit exceeded, retrying in 2.3 seconds.), retrying request",
    "WARNING:botocore.retries:Retry needed, action of: 0.8 (SlowDown: Please reduce your request rate.)",
    "s3fs: retrying upload of part 3 after ConnectionResetError(104, 'Connection reset by peer'), attempt 1 of 5\ns3fs: part 3 uploaded",
    "WARNING {day} {clock},{ms} checkpointing.py:88 saving /ckpt/step_200 failed (OSError: [Errno 5] Input/output error), retrying in 10 s (1/3)\nINFO {day} {clock},{ms} checkpointing.py:97 checkpoint /ckpt/step_200 saved after 2 tries",
    "/srv/run/data.py:41: UserWarning: skipping corrupt record 8812: cannot identify image file <_io.BytesIO object at 0x7f2a5c0d7c90>\n  warnings.warn(",
    'WARNING: caught while reading shard 41, skipped:\nTraceback (most recent call last):\n  File "/srv/run/data.py", line 118, in samples\n    yield json.loads(line)\n  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads\n    return _default_decoder.decode(s)\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)',
    "Grad strides do not match bucket view strides. This may indicate grad was not created according to the gradient layout contract, or that the param's strides changed since DDP was constructed.",
    "[rank0]:W{glog} 8123 torch/_dynamo/convert_frame.py:906] [0/8] torch._dynamo hit config.cache_size_limit (8)",
    "Fri Mar  6 10:00:01 2026\n+-----------------------------------------------------------------------------------------+\n| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |\n|-----------------------------------------+------------------------+----------------------+\n| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n|=========================================+========================+======================|\n|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    0 |\n| N/A   41C    P0            412W /  700W |   70122MiB /  81559MiB |     98%      Default |\n+-----------------------------------------+------------------------+----------------------+",
    "data: 0 errors, failed: 0, skipped: 12, timeouts: 0, killed: 0",
    "health check passed: xid=0 ecc_uncorrectable=0 nvlink_errors=0 ib_link_downed=0 oom_kills=0",
    "|===========================================================================|\n|                  PyTorch CUDA memory summary, device ID 0                 |\n|---------------------------------------------------------------------------|\n|            CUDA OOMs: 0            |        cudaMalloc retries: 0         |\n|===========================================================================|",
    "best_metric: nan (not computed yet), val_loss: nan, error: 0.0123, mean_abs_error: 0.0411",
    "grad overflow at this step, skipping update (this is normal for fp16)",
    "nfs: server fs-3 not responding, still trying\nnfs: server fs-3 OK",
    "/opt/venv/lib/python3.11/site-packages/torch/optim/lr_scheduler.py:240: UserWarning: The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible.\n  warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning)",
    "heartbeat: rank 3 answered late (1 of 5 misses), ok again after 4 s",
    "reload of the config failed: [Errno 2] No such file or directory: '/srv/run/override.yaml'; going on with the old one",
)
"""Between steps."""

AT_END = (
    "[rank0]:[W{glog} ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL. On normal program exit, the application should call destroy_process_group to ensure that any pending NCCL operations have finished in this process. In rare cases this process can exit before this point and block the progress of another member of the process group. This constraint has always been present,  but this warning has only been added since PyTorch 2.4 (function operator())",
    "/usr/lib/python3.11/multiprocessing/resource_tracker.py:224: UserWarning: resource_tracker: There appear to be 12 leaked semaphore objects to clean up at shutdown\n  warnings.warn('resource_tracker: There appear to be %d '",
    "node-7:2204:2311 [0] NCCL INFO [Service thread] Connection closed by localRank 0\nnode-7:2204:2311 [0] NCCL INFO [Service thread] Connection closed by localRank 1\nnode-7:2204:2204 [0] NCCL INFO comm 0x55d1c0a1b2c0 rank 0 nranks 8 cudaDev 0 busId 19000 - Abort COMPLETE",
    'Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f0f5a2b1c60>\nTraceback (most recent call last):\n  File "/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1477, in __del__\n    self._shutdown_workers()\n  File "/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1460, in _shutdown_workers\n    if w.is_alive():\n  File "/usr/lib/python3.11/multiprocessing/process.py", line 160, in is_alive\n    assert self._parent_pid == os.getpid(), \'can only test a child process\'\nAssertionError: can only test a child process',
    'Exception in thread Thread-4 (_pin_memory_loop):\nTraceback (most recent call last):\n  File "/usr/lib/python3.11/threading.py", line 1038, in _bootstrap_inner\n    self.run()\n  File "/opt/venv/lib/python3.11/site-packages/torch/utils/data/_utils/pin_memory.py", line 54, in _pin_memory_loop\n    do_one_step()\nConnectionResetError: [Errno 104] Connection reset by peer',
    "BrokenPipeError: [Errno 32] Broken pipe",
    "terminate called without an active exception",
    "wandb: Waiting for W&B process to finish... (success).\nwandb: Synced 5 W&B file(s), 0 media file(s), 0 artifact file(s) and 0 other file(s)",
    "Destroying process group. Exiting with code 0. errors: 0",
    "[rank3]:[W{glog} TCPStore.cpp:122] [c10d] recvValue failed on SocketImpl(fd=62, addr=[node-8]:51742, remote=[node-7]:29500): Connection reset by peer",
)
"""Behind the last step, and a line that says that all is done."""


def start(log: Log, *, most: int = 8, label: str = "", file: str = "train.log") -> None:
    for text in log.chance.sample(AT_START, log.chance.randrange(2, most)):
        log.say(text, file, label)
        log.go_on(0.7)


def on_the_way(log: Log, share: float = 0.02, label: str = "", file: str = "train.log") -> None:
    """Now and then something between two steps."""
    if log.chance.random() < share:
        log.say(log.chance.choice(ON_THE_WAY), file, label)


def end(log: Log, label: str = "", file: str = "train.log") -> None:
    for text in log.chance.sample(AT_END, log.chance.randrange(1, 5)):
        log.go_on(1)
        log.say(text, file, label)
