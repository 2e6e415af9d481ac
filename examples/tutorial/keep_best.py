import json
import subprocess

best = "blur.cl"
for proposal in ["blur_faster.cl", "blur_tiled.cl --local 32x8"]:  # or written now, from what is printed below
    words = ["aiwc", "tune", "--variant", best, "--variant", proposal, "--global", "256x256", "--local", "16x16"]
    words += ["--arg", "auto", "--devices", "rtx4090", "--json"]
    tuned = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    for other in tuned["wrong"] + tuned["left_out"]:
        print(f"not {other['variant']}: {other['reason']}")
    first = tuned["devices"][0]["ranking"][0]
    best, finding = first["variant"], first["finding"] or {"remedy": "nothing that is known"}
    print(f"keep {best}, near the best with {first['within_10_percent']:.0%}. Next: {finding['remedy']}")
