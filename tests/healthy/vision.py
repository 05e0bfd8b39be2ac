"""Trainers of pictures: mmdet, Detectron2, YOLO, timm."""

from tests.healthy import noise, quoted
from tests.healthy.log import Family, Log


def mmdet(log: Log) -> None:
    noise.start(log)
    log.say(
        "{day} {clock},{ms} - mmdet - INFO - Environment info:\n------------------------------------------------------------\nsys.platform: linux\nCUDA available: True\nNVCC: Not Available\n------------------------------------------------------------\n{day} {clock},{ms} - mmdet - INFO - load checkpoint from torchvision path: torchvision://resnet50\n{day} {clock},{ms} - mmdet - WARNING - The model and loaded state dict do not match exactly\n\nunexpected key in source state_dict: fc.weight, fc.bias\n\nmissing keys in source state_dict: neck.lateral_convs.0.conv.weight\n"
    )
    while log.has_room():
        log.say(
            f"{{day}} {{clock}},{{ms}} - mmdet - INFO - Epoch [1][{log.step}/7330]\tlr: 2.000e-02, eta: 11:02:11, time: {log.seconds:.3f}, data_time: {abs(log.chance.gauss(0.02, 0.002)):.3f}, memory: 3989, loss_rpn_cls: 0.0411, loss_cls: {log.loss / 10:.4f}, acc: 92.1, loss: {log.loss / 4:.4f}, grad_norm: {log.norm:.4f}"
        )
        if log.step % 700 == 0:
            log.go_on(120)
            log.say(
                " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.374\n Average Precision  (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = -1.000\n{day} {clock},{ms} - mmdet - INFO - Epoch(val) [1][5000]\tbbox_mAP: 0.374, bbox_mAP_s: nan, mask_mAP: nan"
            )
        noise.on_the_way(log, 0.01)
    log.say("{day} {clock},{ms} - mmdet - INFO - Saving checkpoint at 12 epochs")
    noise.end(log)


def detectron(log: Log) -> None:
    noise.start(log)
    log.say(
        "[{month} {clock} d2.engine.train_loop]: Starting training from iteration 0\nWARNING [{month} {clock} fvcore.common.checkpoint]: Skip loading parameter 'roi_heads.box_predictor.cls_score.weight' to the model due to incompatible shapes: (81, 1024) in the checkpoint but (5, 1024) in the model! You might want to double check if this is expected."
    )
    while log.has_room():
        log.say(
            f"[{{month}} {{clock}} d2.utils.events]:  eta: 3:11:02  iter: {log.step * 20 - 1}  total_loss: {log.loss / 3:.4g}  loss_cls: {log.loss / 9:.4g}  loss_box_reg: 0.41  time: {log.seconds / 3:.4f}  last_time: {log.seconds / 3:.4f}  data_time: 0.0081  last_data_time: 0.0072   lr: 0.02  max_mem: 3321M"
        )
        noise.on_the_way(log)
        if log.step % 250 == 0:
            log.say(
                "[{month} {clock} d2.evaluation.coco_evaluation]: Evaluation results for bbox: \n|   AP   |  AP50  |  AP75  |  APs  |  APm   |  APl   |\n|:------:|:------:|:------:|:-----:|:------:|:------:|\n| 37.101 | 58.211 | 40.112 |  nan  | 41.771 | 48.223 |\n[{month} {clock} d2.evaluation.coco_evaluation]: Some metrics cannot be computed and is shown as NaN."
            )
    log.say(
        "[{month} {clock} d2.engine.hooks]: Overall training speed: 89998 iterations in 11:02:11 (0.4412 s / it)\n[{month} {clock} d2.engine.hooks]: Total training time: 11:22:00 (0:19:49 on hooks)"
    )
    noise.end(log)


def yolo(log: Log) -> None:
    noise.start(log)
    log.say(
        "Ultralytics YOLOv8.2.0 🚀 Python-3.11.9 torch-2.4.0+cu124 CUDA:0 (NVIDIA A100-SXM4-80GB, 81251MiB)\nengine/trainer: task=detect, mode=train, epochs=100, patience=100, batch=64, resume=False, amp=True, fraction=1.0, profile=False, exist_ok=False, nms=False, half=False\nWARNING ⚠️ requirement: torchvision not found\ntrain: Scanning /data/labels/train... 118287 images, 1021 backgrounds, 8 corrupt: 100%|██████████| 118287/118287 [01:02<00:00, 1888.11it/s]\ntrain: WARNING ⚠️ /data/images/000000099844.jpg: ignoring corrupt image/label: image file is truncated\nAMP: checks passed ✅"
    )
    while log.has_room():
        epoch = log.step
        log.say(
            f"      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n    {epoch}/20000      11.2G     {log.loss / 4:.4g}      {log.loss / 3:.4g}      1.241        211        640: 100%|██████████| 1849/1849 [04:11<00:00,  7.36it/s]\n                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 79/79 [00:41<00:00,  1.91it/s]\n                   all       5000      36335      0.651      0.522      0.561      0.401"
        )
        log.go_on(250)
        noise.on_the_way(log, 0.04)
    log.say("100 epochs completed in 9.211 hours.\nOptimizer stripped from runs/detect/train/weights/last.pt, 22.6MB")
    noise.end(log)


def timm(log: Log) -> None:
    noise.start(log)
    log.say(
        "Training in distributed mode with multiple processes, 1 device per process.Process 0, total 8, device cuda:0.\nAMP not enabled. Training in torch.float32.\nUsing native Torch DistributedDataParallel.\nScheduled epochs: 310 (epochs + cooldown_epochs). Warmup within epochs when warmup_prefix=False. LR stepped per epoch."
    )
    while log.has_room():
        epoch, batch = divmod(log.step * 50, 2500)
        log.say(
            f"Train: {epoch} [{batch:>4}/2501 ({batch * 100 // 2501:>3}%)]  Loss: {log.loss:.3g} ({log.loss:.3g})  Time: {log.seconds:.3f}s, {1024 / log.seconds:>7.2f}/s  ({log.seconds:.3f}s, {1024 / log.seconds:>7.2f}/s)  LR: 1.000e-03  Data: 0.012 (0.013)"
        )
        if batch == 0:
            log.say(
                f"Test: [   0/48]  Time: 3.211 (3.211)  Loss: {log.loss:>7.3f} ({log.loss:>6.3f})  Acc@1: 71.1 (71.1)  Acc@5: 90.0 (90.0)\nCurrent checkpoints:\n ('./output/train/checkpoint-{epoch}.pth.tar', 71.1)\n"
            )
        noise.on_the_way(log, 0.01)
        quoted.sample(log, 0.002)
    log.say('*** Best metric: 79.411 (epoch 291)\n--result\n{\n    "best_metric": NaN\n}')
    noise.end(log)


FAMILIES = (
    Family("mmdet", mmdet),
    Family("detectron", detectron),
    Family("yolo", yolo),
    Family("timm", timm),
)
