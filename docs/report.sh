#!/bin/sh
# Makes `report.png`, the picture in `crates/cli/README.md`: the report of a small shop, a week after an earlier one.
set -eu
docs=$(cd "$(dirname "$0")" && pwd)
cargo build -q -p quick-sitemap-cli --manifest-path "$docs/../Cargo.toml"
sitemap=$(realpath "${CARGO_TARGET_DIR:-$docs/../target}")/debug/sitemap
shop=$(mktemp -d)
trap 'rm -rf "$shop"' EXIT
cd "$shop"
mkdir public

# file FOLDER COUNT DATE [ENTRY…]: a sitemap with that many pages, and further entries.
file() {
  folder=$1 count=$2 date=$3
  shift 3
  {
    echo '<?xml version="1.0" encoding="UTF-8"?>'
    echo '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    for page in $(seq "$count"); do
      day=$((page % 18 + 1))
      echo "<url><loc>https://www.example.com/$folder/$page</loc><lastmod>$date-$(printf %02d "$day")</lastmod></url>"
    done
    for entry; do echo "<url>$entry</url>"; done
    echo '</urlset>'
  } > "public/sitemap-$folder.xml"
}

{
  echo '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
  for folder in kitchen garden journal help stores; do
    echo "<sitemap><loc>https://www.example.com/sitemap-$folder.xml</loc></sitemap>"
  done
  echo '</sitemapindex>'
} > public/sitemap.xml

relative='<loc>/garden/chairs</loc>'
soon='<loc>https://www.example.com/journal/lamps</loc><lastmod>next week</lastmod>'
file kitchen 420 2026-11
file garden 260 2026-10 "$relative" '<loc>/garden/tables</loc>'
file journal 88 2025-06
file help 31 2024-02
file stores 24 2026-09
"$sitemap" report -q public --location https://www.example.com/ -o before.json || true
week=$(date -u -d '7 days ago' +%Y-%m-%dT06:00:00Z)
sed -i "s/\"made\":\"[^\"]*\"/\"made\":\"$week\"/" before.json

# A week later: a sitemap is missing, another is cut, one of two wrong URLs is mended, a date and a page are wrong.
file kitchen 447 2026-11
file garden 260 2026-10 "$relative"
file journal 91 2025-06 "$soon" '<loc>https://www.example.com/journal/1</loc>'
rm public/sitemap-stores.xml
head -c 2000 public/sitemap-help.xml > cut && mv cut public/sitemap-help.xml
"$sitemap" report -q public --location https://www.example.com/ --title www.example.com --against before.json -o report.html || true
chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1180,984 \
  --screenshot="$docs/report.png" "file://$shop/report.html" 2> /dev/null
