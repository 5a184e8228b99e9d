import CoreDataSyncCore
import Testing

@testable import CoreDataSync

struct OrderEndsTests {
  @Test("all notes of a folder were looked at for each note that came into it")
  func looking() {
    let folders = [SyncID(random: 1, 1), SyncID(random: 2, 2)]
    var looks = 0
    var ends = OrderEnds()
    var places: [SyncID: [String]] = [:]
    for number in 0..<200 as Range<UInt64> {
      let folder = folders[Int(number % 2)]
      let place = ends.next(in: folder, PropertyID(name: "folder"), jitter: number) {
        looks += 1
        return folder == folders[0] ? "U" : nil
      }
      places[folder, default: []].append(place)
    }
    #expect(looks == 2)
    for (folder, places) in places {
      #expect(places == places.sorted() && Set(places).count == 100)
      #expect(folder == folders[1] || places[0] > "U")
    }
  }
}
