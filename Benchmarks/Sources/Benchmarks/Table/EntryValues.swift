import Foundation

/// The values of the entry with a number, on both sides.
struct EntryValues {
  let number: Int
  let date: Double
  let d1: Double
  let d2: Double
  let flag: Bool
  let i1: Int64
  let i2: Int32
  let i3: Int16
  let name: String
  let note: String
  let title: String

  init(_ number: Int) {
    self.number = number
    date = Double(number)
    d1 = Double(number) / 3
    d2 = Double(number) / 7
    flag = number % 2 == 0
    i1 = Int64(number * 31 % 100)
    i2 = Int32(number * 17 % 100)
    i3 = Int16(truncatingIfNeeded: number)
    name = "item \(number)"
    note = "a note that is about fifty bytes long, number \(number)"
    title = "\(Self.words[number % Self.words.count]) title of entry \(number)"
  }

  private static let words = ["Thunder", "apple", "Élan", "market", "Zebra", "quiet", "Orange"]
}
