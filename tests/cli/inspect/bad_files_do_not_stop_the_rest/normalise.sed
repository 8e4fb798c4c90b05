s#^inspecting .*#<PROGRESS>#
