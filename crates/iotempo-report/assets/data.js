// What is drawn; numbers were shortened by a unit of their own.

const data = JSON.parse(document.getElementById("data").textContent);
for (const { signal, autocorrelation } of data.parts) {
  for (const buckets of [signal, autocorrelation].filter(Boolean)) {
    buckets.high = buckets.high.map((value) => value * buckets.unit);
    buckets.low = buckets.low ? buckets.low.map((value) => value * buckets.unit) : buckets.high;
  }
}
