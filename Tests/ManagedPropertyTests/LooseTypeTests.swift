import CoreData
import Foundation
import Testing

/// Properties whose types say little of their values.
struct LooseTypeTests {
  @Test func `a property of a type that others convert to was nil or stopped the program`() throws {
    let library = try WrittenLibrary(model: "Loose")
    try library.change { context in
      let parcel = Parcel(context: context)
      parcel.details = ["a": 1] as NSDictionary
      parcel.extra = "extra" as NSString
      parcel.anything = ["one", "two"]
      parcel.wrapped = "wrapped"
      parcel.coded = "coded" as NSString
    }
    try library.change { context in
      let request = NSFetchRequest<Parcel>(entityName: "Parcel")
      let parcel = try #require(try context.fetch(request).first)
      #expect(parcel.details == ["a": 1] as NSDictionary)
      #expect(parcel.extra as? String == "extra")
      #expect(parcel.anything as? [String] == ["one", "two"])
      #expect(parcel.wrapped as? String == "wrapped")
      #expect(parcel.coded as? NSString == "coded")
      parcel.anything = 7.5
      #expect(parcel.anything as? Double == 7.5)
      parcel.anything = nil
      #expect(parcel.value(forKey: "anything") == nil)
      parcel.extra = nil
      #expect(parcel.extra == nil)
    }
  }

  @Test func `a relationship declared as AnyObject was nil and left its inverse as it was`() throws
  {
    try WrittenLibrary(model: "Loose").change { context in
      let (parcel, shelf) = (Parcel(context: context), Shelf(context: context))
      parcel.shelf = shelf
      parcel.owner = shelf
      #expect(parcel.shelf === shelf)
      #expect(parcel.owner === shelf)
      #expect(shelf.parcels == [parcel])
      #expect(shelf.owned == [parcel])
      parcel.owner = nil
      #expect(shelf.owned.isEmpty)
    }
  }
}
