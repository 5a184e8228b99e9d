// Gives libFuzzer's inputs to the predicate parser. Scripts/fuzz-predicates compiles it together with
// Sources/CoreDataPredicates and Tests/FuzzedProgram/PredicateChecks.swift.

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: bytes, count: count)
  PredicateChecks.check(String(decoding: bytes, as: UTF8.self))
  return 0
}
