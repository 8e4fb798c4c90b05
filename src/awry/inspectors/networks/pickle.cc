// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "awry/base/text.h"

namespace awry::inspectors::networks {
namespace {

// A hundred times what a large model needs. Counted over the whole run: a pickle of two bytes may ask for
// another copy of a long text again and again.
constexpr std::size_t kMaxValues = 4 << 20, kMaxText = 64 << 20;

// The functions that saved tensors call.
constexpr std::string_view kOrderedDict = "collections OrderedDict";
constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildTensorOld = "torch._utils _rebuild_tensor";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";

bool is_harmless(std::string_view name) {
  return name == kOrderedDict || name == kRebuildTensor || name == kRebuildTensorOld ||
         name == kRebuildParameter || (name.starts_with("torch ") && name.ends_with("Storage")) ||
         name == "torch.storage UntypedStorage";
}

class Machine {
 public:
  Machine(std::span<const std::byte> bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  Result<Pickle> run() {
    while (!done_ && !error_) step();
    if (error_) {
      return fail({.what = "cannot read weights",
                   .input = std::string(source_),
                   .why = *error_,
                   .hint = "Use the model's safetensors file if it has one."});
    }
    pickle_.bytes = at_;
    return std::move(pickle_);
  }

 private:
  void stop(std::string why) {
    if (!error_) error_ = std::move(why);
  }

  template <class Number>
  Number number() {
    Number value{};
    if (bytes_.size() - at_ < sizeof value) {
      stop("its pickle is cut off");
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text(std::uint64_t size) {
    if (size > bytes_.size() - at_) {
      stop("its pickle is cut off");
      return {};
    }
    std::string value(reinterpret_cast<const char*>(bytes_.data() + at_), size);
    at_ += size;
    return value;
  }
  std::string line() {
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = std::find(begin, bytes_.end(), std::byte('\n'));
    std::string value = text(static_cast<std::uint64_t>(end - begin));
    if (end == bytes_.end()) stop("its pickle is cut off");
    if (!error_) ++at_;
    return value;
  }
  std::int64_t long_integer(std::size_t size) {
    const std::string digits = text(size);
    // The one number of more than eight bytes is the magic number that old files begin with.
    if (digits.size() > 10) stop("it has a number that is too large");
    std::uint64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? ~0ULL : 0;
    for (std::size_t i = std::min<std::size_t>(digits.size(), 8); i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(digits[i]);
    }
    return static_cast<std::int64_t>(value);
  }

  void push(PickledValue value) {
    if (const auto* text = std::get_if<std::string>(&value)) text_ += text->size();
    if (++values_ > kMaxValues || text_ > kMaxText) return stop("it holds too many values");
    stack_.push_back(std::move(value));
  }
  PickledValue pop() {
    if (stack_.size() <= floor()) {
      stop("its pickle takes what is not there");
      return {};
    }
    PickledValue value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  std::vector<PickledValue> pop_to_mark() {
    if (marks_.empty()) {
      stop("its pickle takes what is not there");
      return {};
    }
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickledValue> values(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return values;
  }
  void push_list(std::vector<PickledValue> items) {
    pickle_.lists.push_back({std::move(items)});
    push(&pickle_.lists.back());
  }
  void push_tuple(std::size_t size) {
    std::vector<PickledValue> items(size);
    for (std::size_t i = size; i-- > 0;) items[i] = pop();
    push_list(std::move(items));
  }
  void extend_top(std::vector<PickledValue> items) {
    if (stack_.size() <= floor() || !std::holds_alternative<PickledList*>(stack_.back())) {
      return stop("its pickle adds to what is no list");
    }
    auto& list = std::get<PickledList*>(stack_.back())->items;
    for (PickledValue& item : items) list.push_back(std::move(item));
  }

  void remember(std::uint32_t slot) {
    if (stack_.size() <= floor()) return stop("its pickle remembers nothing");
    memo_[slot] = stack_.back();
  }
  void recall(std::uint32_t slot) {
    const auto found = memo_.find(slot);
    if (found == memo_.end()) return stop("its pickle recalls what it never met");
    push(found->second);
  }

  void push_name(const std::string& name) {
    if (!is_harmless(name)) {
      return stop(fmt::format("it wants to run '{}', and awry runs nothing out of a file",
                              shorten(replace_all(name, " ", "."), 80)));
    }
    push(PickledName{name});
  }

  static const PickledList* list_in(const PickledValue& value) {
    const auto* list = std::get_if<PickledList*>(&value);
    return list == nullptr ? nullptr : *list;
  }
  std::vector<std::int64_t> numbers_in(const PickledValue& value) {
    std::vector<std::int64_t> numbers;
    const PickledList* const list = list_in(value);
    if (list == nullptr || list->items.size() > 16) {
      stop("a tensor's shape is no list of numbers");
      return numbers;
    }
    for (const PickledValue& item : list->items) {
      const auto* number = std::get_if<std::int64_t>(&item);
      if (number == nullptr) stop("a tensor's shape is no list of numbers");
      numbers.push_back(number == nullptr ? 0 : *number);
    }
    return numbers;
  }

  // ('storage', torch.FloatStorage, '0', 'cpu', 768), with a view of it behind in old files.
  void persistent() {
    const PickledValue id = pop();
    const PickledList* const list = list_in(id);
    if (list == nullptr || list->items.size() < 5) return stop("it refers to something unknown");
    const auto* type = std::get_if<PickledName>(&list->items[1]);
    const auto* key = std::get_if<std::string>(&list->items[2]);
    const auto* elements = std::get_if<std::int64_t>(&list->items[4]);
    if (type == nullptr || key == nullptr || elements == nullptr || *elements < 0) {
      return stop("it refers to something unknown");
    }
    if (list->items.size() > 5 && !std::holds_alternative<PickledNone>(list->items[5])) {
      return stop("it keeps a view of other numbers, which awry does not read");
    }
    push(PickledStorage{type->text.substr(type->text.find(' ') + 1), *key, *elements});
  }

  void call() {
    const PickledValue arguments = pop(), function = pop();
    const auto* name = std::get_if<PickledName>(&function);
    const PickledList* const list = list_in(arguments);
    if (error_) return;
    if (name == nullptr || list == nullptr) return stop("it calls what is no function");
    const auto& items = list->items;
    if (name->text == kOrderedDict) {
      if (!items.empty()) return stop("its dictionary is not of the usual form");
      return push_list({});
    }
    if (name->text == kRebuildParameter && !items.empty()) return push(items[0]);
    const bool is_tensor = name->text == kRebuildTensor || name->text == kRebuildTensorOld;
    if (!is_tensor || items.size() < 4) return stop("it calls what is no function");
    const auto* storage = std::get_if<PickledStorage>(&items[0]);
    const auto* offset = std::get_if<std::int64_t>(&items[1]);
    if (storage == nullptr || offset == nullptr) return stop("a tensor is not of the usual form");
    push(PickledTensor{*storage, *offset, numbers_in(items[2]), numbers_in(items[3])});
  }

  void step() {
    const auto code = number<unsigned char>();
    if (error_) return;
    switch (code) {
      case 0x80:  // protocol
        number<unsigned char>();
        break;
      case 0x95:  // frame
        number<std::uint64_t>();
        break;
      case '.':
        pickle_.value = pop();
        done_ = true;
        break;
      case '(':
        if (marks_.size() > kMaxValues) return stop("it holds too many values");
        marks_.push_back(stack_.size());
        break;
      case '}':
      case ']':
      case ')':
        push_list({});
        break;
      case 't':
      case 'l':
        push_list(pop_to_mark());
        break;
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(code - 0x84U);
        break;
      case 'a': {
        std::vector<PickledValue> one(1);
        one[0] = pop();
        extend_top(std::move(one));
        break;
      }
      case 'e':
      case 'u':
        extend_top(pop_to_mark());
        break;
      case 's': {
        std::vector<PickledValue> pair(2);
        pair[1] = pop();
        pair[0] = pop();
        extend_top(std::move(pair));
        break;
      }
      case 'b':  // attributes of an object: dictionaries of modules carry their version this way
        pop();
        break;
      case 'N':
        push(PickledNone{});
        break;
      case 0x88:
      case 0x89:
        push(std::int64_t{code == 0x88});
        break;
      case 'J':
        push(std::int64_t{number<std::int32_t>()});
        break;
      case 'K':
        push(std::int64_t{number<std::uint8_t>()});
        break;
      case 'M':
        push(std::int64_t{number<std::uint16_t>()});
        break;
      case 0x8A:
        push(long_integer(number<std::uint8_t>()));
        break;
      case 'G':
        number<std::uint64_t>();
        push(0.0);  // no saved tensor depends on one
        break;
      case 'X':
        push(text(number<std::uint32_t>()));
        break;
      case 0x8C:
      case 'U':
        push(text(number<std::uint8_t>()));
        break;
      case 'c': {
        const std::string module = line();
        push_name(module + ' ' + line());
        break;
      }
      case 0x93: {
        const PickledValue name = pop(), module = pop();
        const auto *second = std::get_if<std::string>(&name), *first = std::get_if<std::string>(&module);
        if (first == nullptr || second == nullptr) return stop("it names something with no name");
        push_name(*first + ' ' + *second);
        break;
      }
      case 'q':
        remember(number<std::uint8_t>());
        break;
      case 'r':
        remember(number<std::uint32_t>());
        break;
      case 0x94:
        remember(static_cast<std::uint32_t>(memo_.size()));
        break;
      case 'h':
        recall(number<std::uint8_t>());
        break;
      case 'j':
        recall(number<std::uint32_t>());
        break;
      case 'Q':
        persistent();
        break;
      case 'R':
        call();
        break;
      default:
        stop(fmt::format("its pickle has an instruction 0x{:02x} that saved tensors do not need", code));
    }
  }

  std::span<const std::byte> bytes_;
  std::string_view source_;
  std::size_t at_ = 0, values_ = 0, text_ = 0;
  std::vector<PickledValue> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint32_t, PickledValue> memo_;
  Pickle pickle_;
  std::optional<std::string> error_;
  bool done_ = false;
};

}  // namespace

Result<Pickle> read_pickle(std::span<const std::byte> bytes, std::string_view source) {
  return Machine(bytes, source).run();
}

}  // namespace awry::inspectors::networks
