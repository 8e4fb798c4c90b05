# The version of the metrics is not that of awry.
s/\|v:[^"]*/|v:<METRICS>/
