import CoreData
import Testing

@testable import SlipboxLibrary

/// How the store is opened.
struct OpeningTests {
  @Test func `a store that another program had locked kept people waiting for minutes`() throws {
    let box = try Box()
    let store = try #require(box.library.controller.container.persistentStoreDescriptions.first)
    #expect(store.timeout <= 15)
  }
}
