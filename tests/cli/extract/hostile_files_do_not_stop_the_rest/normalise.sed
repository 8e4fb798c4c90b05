s|^extracting  .*|<PROGRESS>|
