import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Composite attributes: dictionaries outside, a column for each element inside.
@Suite struct CompositeAttributeTests {
  private static let model: ModelSchema = {
    var place = AttributeSchema.attribute("place", .composite)
    var latitude = AttributeSchema.attribute("latitude", .double)
    latitude.validations = [ValidationSchema(predicateFormat: "SELF <= 90", warning: .code(1610))]
    var floor = AttributeSchema.attribute("floor", .integer16)
    floor.defaultValue = .integer(1)
    var address = AttributeSchema.attribute("address", .composite)
    address.elements = [.text("street"), .text("city")]
    place.elements = [
      latitude, .attribute("longitude", .double), floor, address, .attribute("seen", .date),
      .attribute("price", .decimal), .attribute("code", .uuid), .attribute("page", .uri),
      .attribute("words", .transformable),
    ]
    return .model(
      .entity("Note", [.text("title"), place], [.one("next", "Note")])
    )
  }()

  private static var berlin: [String: Any] {
    ["latitude": 52.5, "longitude": 13.25, "address": ["city": "Berlin"]]
  }

  private func place(_ note: NSManagedObject) -> [String: Any]? {
    note.value(forKey: "place") as? [String: Any]
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a composite value is a dictionary of its elements, without the absent ones (51)`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let note = context.new("Note", ["place": Self.berlin])
      #expect(place(note)?["latitude"] as? Double == 52.5)
      #expect(place(note)?["floor"] == nil)
      try context.save()
      #expect(Set(place(note)?.keys.map { $0 } ?? []) == ["latitude", "longitude", "address"])
    }
    try stack.work { context in
      let note = try #require(try context.all("Note").first)
      #expect(place(note)?["longitude"] as? Double == 13.25)
      #expect(place(note)?["address"] as? [String: String] == ["city": "Berlin"])
      note.setValue(nil, forKey: "place")
      try context.save()
      #expect(note.value(forKey: "place") == nil)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a composite that is compared with nil was refused by SQLite`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let here = context.new("Note", ["title": "here", "place": Self.berlin])
      // Without this it would have the floor that is the default.
      context.new("Note", ["title": "nowhere", "next": here]).setValue(nil, forKey: "place")
      _ = context.new("Note", ["title": "inner", "place": ["address": ["street": "A"]]])
      _ = context.new("Note", ["title": "point", "place": ["latitude": 0.0]])
      try context.save()
    }
    let expected = [
      "place == nil": ["nowhere"], "place != nil": ["here", "inner", "point"],
      "nil == place": ["nowhere"], "NOT place == nil": ["here", "inner", "point"],
      "place.address == nil": ["nowhere", "point"], "place.address != nil": ["here", "inner"],
      "next.place != nil": ["nowhere"], "title == 'here' AND place != nil": ["here"],
    ]
    try stack.work { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      for (format, titles) in expected {
        request.predicate = NSPredicate(format: format)
        let found = try context.fetch(request).compactMap { $0.textValue("title") }
        #expect(found.sorted() == titles, "\(format)")
      }
      context.new("Note", ["title": "unsaved"]).setValue(nil, forKey: "place")
      request.predicate = NSPredicate(format: "place == nil")
      #expect(try context.count(for: request) == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a composite that TERNARY chooses may be nil (51)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let here = context.new("Note", ["title": "here", "place": Self.berlin])
      context.new("Note", ["title": "nowhere", "next": here]).setValue(nil, forKey: "place")
      _ = context.new("Note", ["title": "point", "place": ["latitude": 0.0]])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      for (format, titles) in [
        "TERNARY(title == 'here', place, nil) == nil": ["nowhere", "point"],
        "TERNARY(title == 'here', nil, place) != nil": ["point"],
        "TERNARY(title == 'nowhere', next.place, place) == nil": [],
        "TERNARY(title == 'here', place.latitude, -1) > 50": ["here"],
      ] {
        request.predicate = NSPredicate(format: format)
        let found = try context.fetch(request).compactMap { $0.textValue("title") }
        #expect(found.sorted() == titles, "\(format)")
      }
    }
  }

  @Test(arguments: storesWithBatches)
  func `a batch update sets all elements of a composite (51, 94)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      for title in ["a", "b"] { _ = context.new("Note", ["title": title, "place": Self.berlin]) }
      try context.save()
      let paris: [String: Any] = ["latitude": 48.25, "address": ["street": "Rue"]]
      try context.update("Note", ["place": paris], where: NSPredicate(format: "title == 'a'"))
      try context.update("Note", ["place": NSNull()], where: NSPredicate(format: "title == 'b'"))
    }
    try stack.work { context in
      let changed = try #require(try context.all("Note", where: "title == 'a'").first)
      #expect(place(changed)?.count == 2)
      #expect(place(changed)?["latitude"] as? Double == 48.25)
      #expect(place(changed)?["address"] as? [String: String] == ["street": "Rue"])
      #expect(
        try context.all("Note", where: "place == nil").compactMap { $0.textValue("title") } == ["b"]
      )
    }
  }

  @Test func `a composite that is compared with a value is refused with the element to name`()
    throws
  {
    let stack = try ModelStack(Self.model, .sqlite)
    try stack.work { context in
      for format in ["place == 'x'", "place IN {1, 2}", "place < 3", "place CONTAINS 'a'"] {
        let error = #expect(throws: CocoaError.self, "\(format)") {
          _ = try context.all("Note", where: format)
        }
        let told = "\(error?.userInfo ?? [:])"
        #expect(told.contains("one of them, such as place.address"), "\(told)")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a key path reads and sets one element (51)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let note = context.new("Note")
      let other = context.new("Note", ["next": note])
      #expect(note.value(forKeyPath: "place.floor") as? Int == 1)
      note.setValue(48.25, forKeyPath: "place.latitude")
      other.setValue("Paris", forKeyPath: "next.place.address.city")
      try context.save()
      #expect(!context.hasChanges)
      note.setValue(["street": "Rue"], forKeyPath: "place.address")
      #expect(note.hasChanges && note.hasPersistentChangedValues)
      #expect(note.changedValues().keys.map { $0 } == ["place"])
      let committed = note.committedValues(forKeys: ["place"])["place"] as? [String: Any]
      #expect(committed?["address"] as? [String: String] == ["city": "Paris"])
      try context.save()
    }
    try stack.work { context in
      let note = try #require(try context.all("Note", where: "place.latitude == 48.25").first)
      #expect(note.value(forKeyPath: "place.latitude") as? Double == 48.25)
      #expect(note.value(forKeyPath: "place.address.street") as? String == "Rue")
      #expect(note.value(forKeyPath: "place.address.city") == nil)
      #expect(note.value(forKeyPath: "place.floor") as? Int == 1)
      note.setValue(48.25, forKeyPath: "place.latitude")
      #expect(note.hasChanges && !note.hasPersistentChangedValues)
      context.rollback()
      note.setValue(nil, forKeyPath: "place.latitude")
      context.rollback()
      #expect(note.value(forKeyPath: "place.latitude") as? Double == 48.25)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `elements of every type come back as they were (51)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    let (code, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 1234.5))
    let page = try #require(URL(string: "https://swift.org"))
    try stack.work { context in
      let values: [String: Any] = [
        "seen": date, "price": try #require(Decimal(string: "10.25")), "code": code, "page": page,
        "words": ["a", "b"],
      ]
      _ = context.new("Note", ["place": values])
      try context.save()
    }
    try stack.work { context in
      let note = try #require(try context.all("Note").first)
      #expect(note.value(forKeyPath: "place.seen") as? Date == date)
      #expect(note.value(forKeyPath: "place.price") as? NSDecimalNumber == 10.25)
      #expect(note.value(forKeyPath: "place.code") as? UUID == code)
      #expect(note.value(forKeyPath: "place.page") as? URL == page)
      #expect(note.value(forKeyPath: "place.words") as? [String] == ["a", "b"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `predicates and orders look at elements (51)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      for (title, latitude, city) in [("a", 3.5, "Zug"), ("b", 1.5, "Bern"), ("c", 2.5, "Bex")] {
        let place: [String: Any] = ["latitude": latitude, "address": ["city": city]]
        _ = context.new("Note", ["title": title, "place": place])
      }
      _ = context.new("Note", ["title": "d", "place": NSNull()])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      func titles(_ format: String, _ key: String = "title") throws -> [String?] {
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return try context.fetch(request).map { $0.textValue("title") }
      }
      #expect(try titles("place.latitude > 2") == ["a", "c"])
      #expect(try titles("place.latitude == nil") == ["d"])
      #expect(
        try titles("place.address.city BEGINSWITH[c] 'b'", "place.latitude") == ["b", "c"]
      )
      #expect(try titles("place.latitude > 0", "place.address.city") == ["b", "c", "a"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `elements are validated under their paths (51)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let note = context.new("Note", ["place": ["latitude": 91]])
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == 1610)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "place.latitude")
      var value: AnyObject? = ["latitude": 91] as NSDictionary
      #expect(errorCode { try note.validateValue(&value, forKey: "place") } == 1610)
      note.setValue(90, forKeyPath: "place.latitude")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `an optional composite could not be nil where an element is required`(
    _ kind: StoreKind
  ) throws {
    var place = AttributeSchema.attribute("place", .composite)
    var latitude = AttributeSchema.attribute("latitude", .double)
    latitude.isOptional = false
    place.elements = [latitude, .text("city")]
    let stack = try ModelStack(.model(.entity("Note", [.text("title"), place])), kind)
    try stack.work { context in
      let note = context.new("Note")
      try context.save()
      var value: AnyObject?
      try note.validateValue(&value, forKey: "place")
      note.setValue("Berlin", forKeyPath: "place.city")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMissingMandatoryProperty)
      #expect(error?.validationKey == "place.latitude")
      note.setValue(52.5, forKeyPath: "place.latitude")
      try context.save()
      note.setValue(nil, forKey: "place")
      try context.save()
    }
  }

  @Test func `each element has a column of its own, named after the element alone (51)`() throws {
    let columns = TableMap(Self.model).tables.flatMap(\.columns).map(\.name)
    let elements = [
      "ZFLOOR", "ZLATITUDE", "ZLONGITUDE", "ZSEEN", "ZPRICE", "ZCITY", "ZSTREET", "ZPAGE", "ZCODE",
      "ZWORDS",
    ]
    #expect(Set(elements).isSubset(of: columns))
    #expect(!columns.contains { $0.hasPrefix("ZPLACE") })
  }

  @Test func `the hash of a composite attribute is that of its elements' hashes by name`() {
    var place = AttributeSchema(name: "place", type: .composite)
    place.elements = [.attribute("longitude", .double), .text("city")]
    let hashes = [place.elements[1], place.elements[0]].map(\.versionHash)
    #expect(place.versionHash == SHA256.digest(of: hashes[0] + hashes[1]))
    var other = place
    other.name = "home"
    other.isOptional = false
    other.elements.reverse()
    #expect(other.versionHash == place.versionHash)
  }

  /// The model as this package had it before it knew Apple's rules.
  private static let formerModel: ModelSchema = {
    var model = Self.model
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices
      where model.entities[entity].attributes[attribute].type == .composite {
        model.entities[entity].attributes[attribute].hasFormerComposites = true
        for element in model.entities[entity].attributes[attribute].elements.indices {
          model.entities[entity].attributes[attribute].elements[element].hasFormerComposites =
            model.entities[entity].attributes[attribute].elements[element].type == .composite
        }
      }
    }
    return model
  }()

  @Test
  func `a store with the former columns of composites opens with its own model, and is migrated`()
    throws
  {
    let upgrade = try Upgrade(Self.formerModel) { context in
      _ = context.new("Note", ["title": "a", "place": Self.berlin])
      _ = context.new("Note", ["title": "b"])
    }
    let before = try NSManagedObjectModel(contentsOfStoreAt: upgrade.file)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: upgrade.file
    )
    #expect(before.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    let new = NSManagedObjectModel(schema: Self.model)
    #expect(!new.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    try upgrade.work(with: Self.model) { context in
      let notes = try context.all("Note", where: "place.longitude == 13.25")
      #expect(notes.map { $0.value(forKey: "title") as? String } == ["a"])
      #expect(place(notes[0])?["latitude"] as? Double == 52.5)
      #expect(notes[0].value(forKeyPath: "place.address.city") as? String == "Berlin")
      let other = try #require(try context.all("Note", where: "title == 'b'").first)
      #expect(place(other)?.keys.map { $0 } == ["floor"])
    }
    let after = try NSManagedObjectModel(contentsOfStoreAt: upgrade.file)
    #expect(after.entityVersionHashesByName == new.entityVersionHashesByName)
    let columns = try SQLiteShell.run("PRAGMA table_info(ZNOTE);", on: upgrade.file.path).joined()
    #expect(columns.contains("ZLATITUDE") && !columns.contains("ZPLACE"))
  }

  @Test func `another context's change of an element is merged with the others (51)`() throws {
    let stack = try ModelStack(Self.model)
    let id = try stack.work { context in
      let note = context.new("Note", ["title": "a", "place": Self.berlin])
      try context.save()
      return note.objectID
    }
    let reader = stack.context()
    try reader.performAndWait {
      let note = reader.object(with: id)
      #expect(note.value(forKeyPath: "place.latitude") as? Double == 52.5)
      try stack.work { context in
        context.object(with: id).setValue(1, forKeyPath: "place.latitude")
        try context.save()
      }
      note.setValue("b", forKey: "title")
      reader.refresh(note, mergeChanges: true)
      #expect(note.value(forKeyPath: "place.latitude") as? Double == 1)
      try reader.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a policy did not see that others had changed an element (51, 54)`(_ kind: StoreKind) throws
  {
    // Whether we change the element, too, and which of 52.5 as read, 1 of theirs and 2 of ours is left.
    let cases: [(policy: NSMergePolicy, changes: Bool, expected: Double)] = [
      (.mergeByPropertyStoreTrump, true, 1), (.mergeByPropertyStoreTrump, false, 1),
      (.mergeByPropertyObjectTrump, true, 2), (.mergeByPropertyObjectTrump, false, 1),
      (.overwrite, true, 2), (.overwrite, false, 52.5), (.rollback, true, 1),
    ]
    for (policy, changes, expected) in cases {
      let stack = try ModelStack(Self.model, kind)
      try stack.work { context in
        context.mergePolicy = policy
        let note = context.new("Note", ["title": "a", "place": Self.berlin])
        try context.save()
        try stack.work { other in
          try other.all("Note").first?.setValue(1, forKeyPath: "place.latitude")
          try other.save()
        }
        note.setValue("b", forKey: "title")
        if changes { note.setValue(2, forKeyPath: "place.latitude") }
        try context.save()
        #expect(note.value(forKeyPath: "place.latitude") as? Double == expected, "\(policy)")
      }
      try stack.work { context in
        let note = try #require(try context.all("Note").first)
        #expect(note.value(forKeyPath: "place.latitude") as? Double == expected, "\(policy)")
        #expect(note.value(forKeyPath: "place.longitude") as? Double == 13.25)
      }
    }
  }

  @Test func `a fractional number stopped the program where an element is an integer (51)`() throws
  {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      let note = context.new("Note", ["place": ["latitude": 1, "floor": 2.75]])
      #expect(note.value(forKeyPath: "place.floor") as? Int == 2)
      note.setValue(NSNumber(value: -3.5), forKeyPath: "place.floor")
      #expect(note.value(forKeyPath: "place.floor") as? Int == -3)
      #expect(note.value(forKeyPath: "place.latitude") as? Double == 1)
      var value: AnyObject? = ["floor": 4.5] as NSDictionary
      try note.validateValue(&value, forKey: "place")
      #expect((value as? NSDictionary)?["floor"] as? Int == 4)
      try context.save()
    }
  }

  @Test func `an element that does not exist, or takes another type, stops the program (51)`()
    async
  {
    await #expect(processExitsWith: .failure) {
      let stack = try ModelStack(CompositeAttributeTests.model, .memory)
      try stack.work { $0.new("Note").setValue(1, forKeyPath: "place.height") }
    }
    await #expect(processExitsWith: .failure) {
      let stack = try ModelStack(CompositeAttributeTests.model, .memory)
      try stack.work { $0.new("Note").setValue("north", forKeyPath: "place.latitude") }
    }
    await #expect(processExitsWith: .failure) {
      let stack = try ModelStack(CompositeAttributeTests.model, .memory)
      try stack.work { $0.new("Note").setValue(["height": 1], forKey: "place") }
    }
  }
}
