// SPDX-License-Identifier: Apache-2.0
#include <webp/decode.h>
#include <webp/demux.h>

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "awry/imaging/codec.h"
#include "awry/imaging/orientation.h"

namespace awry::imaging {
namespace {

struct DemuxerDeleter {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};
struct IncrementalDeleter {
  void operator()(WebPIDecoder* decoder) const { WebPIDelete(decoder); }
};
using Demuxer = std::unique_ptr<WebPDemuxer, DemuxerDeleter>;

bool recognises(Bytes bytes) {
  return bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 &&
         std::memcmp(bytes.data() + 8, "WEBP", 4) == 0;
}

struct Opened {
  Demuxer demuxer;
  WebPDemuxState state;
};

Result<Opened> open(Bytes file) {
  const WebPData data{file.data(), file.size()};
  WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
  Demuxer demuxer(WebPDemuxPartial(&data, &state));
  if (demuxer == nullptr || state == WEBP_DEMUX_PARSE_ERROR) {
    if (state == WEBP_DEMUX_PARSING_HEADER)
      return truncated(fmt::format("it ends after {} bytes", file.size()));
    return damaged("its parts contradict one another");
  }
  return Opened{std::move(demuxer), state};
}

Result<ImageInfo> probe(Bytes file) {
  AWRY_TRY_ASSIGN(const Opened opened, open(file));
  WebPDemuxer* const demuxer = opened.demuxer.get();
  const std::uint32_t flags = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS);
  ImageInfo info{.width = static_cast<int>(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
                 .height = static_cast<int>(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT))};
  info.has_alpha = (flags & ALPHA_FLAG) != 0;
  info.channels = info.has_alpha ? 4 : 3;
  if ((flags & EXIF_FLAG) != 0) {
    // The note stands behind the pixels.
    if (opened.state != WEBP_DEMUX_DONE) return truncated(fmt::format("it ends after {} bytes", file.size()));
    WebPChunkIterator chunk;
    if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) != 0) {
      info.orientation = exif_orientation({chunk.chunk.bytes, chunk.chunk.size});
      WebPDemuxReleaseChunkIterator(&chunk);
    }
  }
  return info;
}

struct Frame {
  Bytes data;
  int x = 0, y = 0, width = 0, height = 0;
};

// Decodes into the part of `image` that the frame covers; `image` has its final number of channels.
Result<void> decode_frame(const Frame& frame, Image& image, bool tolerate_truncation) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) return unsupported("this libwebp is too old");
  const VP8StatusCode header = WebPGetFeatures(frame.data.data(), frame.data.size(), &config.input);
  if (header == VP8_STATUS_NOT_ENOUGH_DATA) return truncated("it ends inside its header");
  if (header != VP8_STATUS_OK) return damaged("the header of its pixels cannot be read");
  if (config.input.width != frame.width || config.input.height != frame.height) {
    return damaged("its two headers name different sizes");
  }
  const int stride = image.width * image.channels;
  config.output.colorspace = image.channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = image.at(frame.x, frame.y);
  config.output.u.RGBA.stride = stride;
  config.output.u.RGBA.size = static_cast<std::size_t>(frame.height - 1) * stride +
                              static_cast<std::size_t>(frame.width) * image.channels;
  const std::unique_ptr<WebPIDecoder, IncrementalDeleter> decoder(WebPINewDecoder(&config.output));
  if (decoder == nullptr) return damaged("libwebp refuses it");
  const VP8StatusCode status = WebPIUpdate(decoder.get(), frame.data.data(), frame.data.size());
  if (status == VP8_STATUS_OK || tolerate_truncation) return {};
  if (status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA) {
    return truncated("it ends before the last pixel");
  }
  return damaged(fmt::format("libwebp stops with status {}", static_cast<int>(status)));
}

Result<Image> decode(Bytes file, const ImageInfo& info, const CodecRequest& request) {
  AWRY_TRY_ASSIGN(const Opened opened, open(file));
  if (opened.state != WEBP_DEMUX_DONE && !request.tolerate_truncation) {
    return truncated(fmt::format("it ends after {} bytes", file.size()));
  }
  WebPIterator iterator;
  if (WebPDemuxGetFrame(opened.demuxer.get(), 1, &iterator) == 0) return damaged("it holds no image data");
  const Frame frame{{iterator.fragment.bytes, iterator.fragment.size},
                    iterator.x_offset,
                    iterator.y_offset,
                    iterator.width,
                    iterator.height};
  WebPDemuxReleaseIterator(&iterator);  // the fragment points into `file`
  if (frame.width <= 0 || frame.height <= 0 || frame.x < 0 || frame.y < 0 ||
      frame.x > info.width - frame.width || frame.y > info.height - frame.height) {
    return damaged("its first frame lies outside the canvas");
  }
  const bool covers_all = frame.width == info.width && frame.height == info.height;
  Image image(info.width, info.height, covers_all ? info.channels : 4);
  AWRY_TRY(decode_frame(frame, image, request.tolerate_truncation));
  return image;
}

}  // namespace

constinit const Codec kWebpCodec = {ImageFormat::kWebp, "WebP", "image/webp", recognises, probe, decode};

}  // namespace awry::imaging
