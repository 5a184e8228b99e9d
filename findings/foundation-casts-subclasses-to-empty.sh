#!/usr/bin/env bash
# Foundation of Swift 6.3.1 on Linux: casting an object of a subclass of NSDictionary or NSSet to a Swift collection gives an
# empty collection, although the object has elements.
#
# A subclass that overrides the primitive methods, as Apple's documentation asks, works as an object: its count, its
# subscript and a loop give the elements. `as? [String: Any]` and `as? Set<String>` succeed and give nothing. With Apple's
# Foundation the same casts give the elements. Nothing is said, so that a program that gets such an object from a library
# continues without its data.
#
# Seen on 2026-11-30:
#   dictionary  count 1, subscript 1, cast [:]
#   set         count 1, loop ["a"], cast []
#
# The remedy: a library hands out NSDictionary and NSSet themselves, or Swift's collections; a program that may get another
# class builds its collection in a loop.
#
# Needs Swift and no package; builds in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

cat > main.swift <<'END'
import Foundation

final class OnePair: NSDictionary {
  init(_ place: Int) { super.init(objects: nil, forKeys: nil, count: 0) }
  required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
    super.init(objects: nil, forKeys: nil, count: 0)
  }
  required convenience init(dictionaryLiteral elements: (Any, Any)...) { self.init(0) }
  required init?(coder: NSCoder) { nil }
  override var count: Int { 1 }
  override func object(forKey key: Any) -> Any? { key as? String == "a" ? 1 : nil }
  override func keyEnumerator() -> NSEnumerator { NSArray(array: ["a"]).objectEnumerator() }
}

final class OneMember: NSSet {
  init(_ place: Int) { super.init(objects: nil, count: 0) }
  override init(objects: UnsafePointer<AnyObject>!, count: Int) { super.init(objects: nil, count: 0) }
  required convenience init(arrayLiteral elements: Any...) { self.init(0) }
  required init?(coder: NSCoder) { nil }
  override var count: Int { 1 }
  override func member(_ object: Any) -> Any? { object as? String == "a" ? object : nil }
  override func objectEnumerator() -> NSEnumerator { NSArray(array: ["a"]).objectEnumerator() }
}

let pair: NSDictionary = OnePair(0)
let member: NSSet = OneMember(0)
print("dictionary  count \(pair.count), subscript \(pair["a"] ?? "none"), cast \(pair as? [String: Any] ?? ["no": 0])")
print("set         count \(member.count), loop \(member.map { $0 }), cast \(member as? Set<String> ?? ["no"])")
END

swift --version 2> /dev/null | head -n 1
swiftc main.swift -o casts
./casts | tee seen
diff seen - <<'END' || { echo "The casts give something else now"; exit 1; }
dictionary  count 1, subscript 1, cast [:]
set         count 1, loop ["a"], cast []
END
echo "As described: both casts succeed, and give nothing."
