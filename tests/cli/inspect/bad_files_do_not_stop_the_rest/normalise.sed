s|^inspecting  6/6 .*|<PROGRESS>|
s|^indexing  6/6 .*|<PROGRESS>|
s|^comparing  0/0.*|<PROGRESS>|
