# make_run FOLDER MODEL PROTOCOL SIGNATURE SAMPLE:METRIC:VALUE...
make_run() {
  local folder=$1 model=$2 protocol=$3 signature=$4 scores="" sample metric value; shift 4
  local score
  for score; do
    IFS=: read -r sample metric value <<< "$score"
    scores+="${scores:+,}{\"sample_id\":\"$sample\",\"metric\":\"$metric\",\"value\":$value}"
  done
  mkdir -p "$folder"
  echo "{\"schema\":1,\"id\":\"$(basename "$folder")\",\"protocol\":\"$protocol\",\"model\":\"$model\"}" > "$folder/manifest.json"
  echo "{\"schema\":1,\"protocol\":\"$protocol\",\"metrics\":[{\"key\":\"id\",\"group\":\"splicing\",\"value\":0,\"signature\":\"$signature\"}],\"scores\":[$scores]}" > "$folder/scores.json"
}
