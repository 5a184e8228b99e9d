import CoreDataSyncCore
import Testing

@testable import SyncSimulation

struct PlacesTests {
  @Test("there is always room between two places")
  func room() {
    var chance = Chance(seed: 7)
    var places = [Places.between("", "", jitter: 5)]
    for _ in 0..<2000 {
      let index = chance.number(below: places.count + 1)
      let low = index > 0 ? places[index - 1] : ""
      let high = index < places.count ? places[index] : ""
      let new = Places.between(low, high, jitter: chance.next())
      #expect(low < new && (high.isEmpty || new < high))
      places.insert(new, at: index)
    }
    #expect(places == places.sorted())
  }

  @Test("a member that moves gets a place, and the others keep theirs")
  func move() {
    let known = ["B", "C", "A", "D"]
    let moved = Places.moved(known, jitter: 3)
    #expect(moved.count == 1)
    let after = known.indices.map { moved[$0] ?? known[$0] }
    #expect(after == after.sorted() && Set(after).count == 4)
  }

  @Test(
    "any order can be given to members with any places",
    arguments: 1...200 as ClosedRange<UInt64>
  )
  func anyOrder(seed: UInt64) {
    var chance = Chance(seed: seed)
    let known = (0..<chance.number(below: 12)).map { _ -> String? in
      chance.one(of: ["none", "", "A", "A0", "Az", "B", "z", "zz", "é", "0"]).flatMap {
        $0 == "none" ? nil : $0
      }
    }
    let moved = Places.moved(known, jitter: chance.next())
    let after = known.indices.map { moved[$0] ?? known[$0] ?? "" }
    for (one, next) in zip(after, after.dropFirst()) { #expect(one < next) }
  }

  @Test(
    "a place had a letter more for every fourth note that was added, and the last had thousands",
    arguments: [true, false]
  )
  func openEnds(isAtEnd: Bool) {
    var chance = Chance(seed: 3)
    var places = ["U"]
    for _ in 0..<10_000 {
      let last = places[places.count - 1]
      let new =
        isAtEnd
        ? Places.between(last, "", jitter: chance.next())
        : Places.between("", last, jitter: chance.next())
      places.append(new)
    }
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { isAtEnd ? $0 < $1 : $1 < $0 }
    #expect(isInOrder)
    #expect(places.allSatisfy { $0.utf8.count <= 6 })
  }

  @Test(
    "a place had thousands of letters when thousands of notes came to one place",
    arguments: [
      [String?](repeating: nil, count: 10_000),
      ["A"] + [String?](repeating: nil, count: 10_000) + ["B"],
      [String?](repeating: nil, count: 10_000) + ["1"],
    ]
  )
  func manyAtOnce(known: [String?]) {
    let moved = Places.moved(known, jitter: 977)
    let after = known.indices.map { moved[$0] ?? known[$0] ?? "" }
    #expect(zip(after, after.dropFirst()).allSatisfy { $0 < $1 })
    #expect(moved.count == 10_000 && moved.values.allSatisfy { $0.utf8.count <= 30 })
  }
}
