import TestSupport
import Testing

@testable import CoreData

@Suite struct KeyTableTests {
  private func key(_ number: Int64, root: Int32 = 1) -> ObjectKey {
    ObjectKey(store: StoreNumber(rawValue: 7), root: root, number: number)
  }

  @Test func `a table has what a dictionary has, whatever came and went`() {
    var table = KeyTable<Int64>()
    var dictionary: [ObjectKey: Int64] = [:]
    var numbers = RepeatableNumbers(seed: 16)
    for step in 0..<4000 {
      let key = key(
        .random(in: 1...300, using: &numbers),
        root: .random(in: 1...3, using: &numbers)
      )
      if Bool.random(using: &numbers) {
        table.set(Int64(step), for: key)
        dictionary[key] = Int64(step)
      } else {
        let removed = table.remove(key)
        #expect(removed == dictionary.removeValue(forKey: key))
      }
    }
    let (count, values) = (table.count, table.allValues.sorted())
    #expect(count == dictionary.count)
    #expect(values == dictionary.values.sorted())
    for (key, value) in dictionary {
      let found = table[key]
      #expect(found == value)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8, 64, 1024, 1 << 40] as [Int64])
  func `keys at even distances find their places`(distance: Int64) {
    var table = KeyTable<Int64>()
    table.reserve(1000)
    for number in 1...1000 as ClosedRange<Int64> { table.set(number, for: key(number * distance)) }
    for number in 1...1000 as ClosedRange<Int64> {
      let found = table[key(number * distance)]
      #expect(found == number)
    }
    let other = table[key(1001 * distance)]
    #expect(other == nil)
  }

  @Test func `four neighbours stand together, and no more`() {
    let places = (0..<8).map { key($0).scatterOfNeighbours }
    #expect(places[1] - places[0] == 1 && places[3] - places[0] == 3)
    #expect(places[7] - places[4] == 3 && places[4] - places[0] != 4)
  }
}
