import CoreData
import Foundation
import TestSupport
import Testing

/// The files of XML stores.
@Suite struct XMLStoreTests {
  private func text(_ stack: NotesStack) throws -> String {
    try String(contentsOf: try #require(stack.file), encoding: .utf8)
  }

  /// The objects of a file, without the description of the whole.
  private func objects(_ text: String) throws -> String {
    let end = try #require(text.range(of: "</databaseInfo>\n"))
    return String(text[end.upperBound...])
  }

  @Test func `a file looks like those of Apple's framework`() throws {
    let stack = try StoreKind.xml.stack()
    try stack.work { context throws in
      let note = context.note("1 < 2 & é")
      note.created = Date(timeIntervalSinceReferenceDate: 0.5)
      try context.obtainPermanentIDs(for: [note])
      let (folder, tag) = (context.folder("Ideas"), context.tag("red"))
      try context.obtainPermanentIDs(for: [folder])
      note.folder = folder
      note.addToTags(tag)
      note.isFavourite = true
      try context.save()
    }
    let text = try text(stack)
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" standalone="no"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>\(stack.store.identifier ?? "")</UUID>
                <nextObjectID>104</nextObjectID>
                <metadata>
        <plist version="1.0">
        """
      )
    )
    let note = try #require(
      try objects(text).components(separatedBy: "    </object>\n").first {
        $0.contains("type=\"NOTE\"")
      }
    )
    #expect(
      note == """
            <object type="NOTE" id="z102">
                <attribute name="created" type="date">0.50000000000000000000</attribute>
                <attribute name="isfavourite" type="bool">1</attribute>
                <attribute name="rating" type="double">0.0</attribute>
                <attribute name="stars" type="int16">0</attribute>
                <attribute name="title" type="string">1 \\u3c00 2 \\u2600 \\ue900</attribute>
                <relationship name="covers" type="1/1" destination="FOLDER"></relationship>
                <relationship name="folder" type="1/1" destination="FOLDER" idrefs="z103"></relationship>
                <relationship name="pinnedin" type="1/1" destination="FOLDER"></relationship>
                <relationship name="related" type="0/0" destination="NOTE"></relationship>
                <relationship name="tags" type="0/0" destination="TAG" idrefs="z104"></relationship>

        """
    )
  }

  /// A file with these objects.
  private func file(_ objects: String, change: (inout String) -> Void = { _ in }) throws -> URL {
    let stack = try StoreKind.xml.stack()
    var text = try text(stack)
    text = text.replacingOccurrences(of: "</database>", with: objects + "\n</database>")
    change(&text)
    let file = try #require(stack.file)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test func `what other programs write is read`() throws {
    let file = try file(
      """
      <!-- a comment -->
      <object type="FOLDER" id="z110">
        <attribute name="name" type="string">Tom &amp; \\u3c00b\\u3e00 &#x41;<![CDATA[<i>]]> C:\\user</attribute>
      </object>
      <object type='CHECKLIST' id='z108'>
        <attribute name='title' type='string'>list</attribute>
        <attribute name='itemcount' type='int32'> 7 </attribute>
        <relationship name='folder' type='1/1' destination='FOLDER' idrefs='z110'/>
      </object>
      <object type="NOTE" id="z109">
        <attribute name="title" type="string">note</attribute>
        <attribute name="created" type="date">336046917.00164198875427246094</attribute>
      </object>
      """
    ) { text in
      text = text.replacingOccurrences(
        of: "<object type=\"FOLDER\" id=\"z110\">",
        with: "<object type=\"FOLDER\" id=\"z110\">"
          + "<relationship name=\"pinned\" type=\"0/0\" destination=\"NOTE\" idrefs=\"z109 z108\"/>"
      )
    }
    let stack = try StoreKind.xml.stack(at: file)
    try stack.work { context throws in
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first)
      #expect(folder.name == "Tom & <b> A<i> C:\\user")
      #expect(folder.titles == ["list"], "one end tells enough")
      #expect(folder.pinnedTitles == ["note", "list"])
      let list = try #require(try context.fetch(Checklist.fetchRequest()).first)
      #expect(list.itemCount == 7)
      #expect(list.isFavourite == false)
      #expect(list.objectID.uriRepresentation().lastPathComponent == "p108")
      context.note("new")
      try context.save()
    }
    #expect(try text(stack).contains("<object type=\"NOTE\" id=\"z111\">"), "no id is given twice")
  }

  @Test(arguments: [
    ("<object type=\"PLANET\" id=\"z1\"></object>", "no entity PLANET"),
    ("<object type=\"NOTE\" id=\"102\"></object>", "“102” is no id"),
    ("<object type=\"NOTE\"></object>", "needs a type and an id"),
    (
      "<object type=\"NOTE\" id=\"z1\"/><object type=\"TAG\" id=\"z1\"/>",
      "the id z1 is there twice"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><attribute name=\"mass\" type=\"int16\">1</attribute></object>",
      "no property “mass”"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><attribute name=\"stars\" type=\"int16\">many</attribute></object>",
      "“many” is no int16, which Note.stars is"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><attribute name=\"stars\" type=\"int16\">70000</attribute></object>",
      "“70000” is no int16"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><attribute name=\"stars\" type=\"string\">1</attribute></object>",
      "Note.stars is of the type string, and in the model int16"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><relationship name=\"title\" idrefs=\"z1\"/></object>",
      "Note.title is an attribute"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><relationship name=\"folder\" idrefs=\"z9\"/></object>",
      "folder of the Note 1 leads to 9, which is not there"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"><relationship name=\"folder\" idrefs=\"z2 z3\"/></object>"
        + "<object type=\"FOLDER\" id=\"z2\"/><object type=\"FOLDER\" id=\"z3\"/>",
      "leads to several objects"
    ),
    (
      "<object type=\"NOTE\" id=\"z1\"/><object type=\"BIN\" id=\"z2\"><relationship name=\"kept\" idrefs=\"z1\"/></object>"
        + "<object type=\"BIN\" id=\"z3\"><relationship name=\"kept\" idrefs=\"z1\"/></object>",
      "is in Bin.kept of two objects"
    ),
    ("<object type=\"NOTE\" id=\"z1\">", "</database> closes nothing"),
    ("<planet/>", "<planet> has no place in <database>"),
    ("stray", "there is text between elements"),
    ("<object type=\"NOTE\" id=z1></object>", "not quoted"),
    ("<object type=\"&boom;\" id=\"z1\"></object>", "&boom; is unknown"),
  ])
  func `a damaged file is refused with a sentence`(objects: String, sentence: String) throws {
    let file = try file(objects)
    let error = try #require(throws: NSError.self) { try StoreKind.xml.stack(at: file) }
    #expect(error.code == 259)
    #expect(
      error.localizedFailureReason?.contains(sentence) == true,
      "\(error.localizedFailureReason ?? "")"
    )
    #expect(error.localizedFailureReason?.contains(file.path) == true)
  }

  @Test func `entities that grow without end are refused before they grow`() throws {
    let file = try file("<object type=\"&c;\" id=\"z1\"/>") { text in
      text = text.replacingOccurrences(
        of: "SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\"",
        with: "[<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]"
      )
    }
    let error = try #require(throws: NSError.self) { try StoreKind.xml.stack(at: file) }
    #expect(error.localizedFailureReason?.contains("declares entities") == true)
  }

  @Test func `a file that ends too early is refused wherever it ends`() throws {
    let stack = try StoreKind.xml.stack()
    try stack.work(OtherStoresTests.populate)
    let file = try #require(stack.file)
    let whole = try Data(contentsOf: file)
    let last = try #require(whole.range(of: Data("</database>".utf8))?.upperBound)
    for count in stride(from: 1, to: last, by: 97) {
      try whole.prefix(count).write(to: file)
      let code = errorCode { try StoreKind.xml.stack(at: file) }
      #expect(code == 259, "\(count) bytes")
    }
  }

  @Test func `bytes that are changed anywhere give an error or a store, and no crash`() throws {
    let stack = try StoreKind.xml.stack()
    try stack.work(OtherStoresTests.populate)
    let file = try #require(stack.file)
    let whole = try Data(contentsOf: file)
    var dice = Dice(seed: 7)
    for _ in 0..<100 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      try bytes.write(to: file)
      do {
        let again = try StoreKind.xml.stack(at: file)
        try again.work { context in _ = try context.titles() }
      } catch let error as NSError {
        #expect(error.localizedFailureReason != nil)
      }
    }
  }

  @Test func `a model whose names differ in case alone cannot have an XML store`() throws {
    let model = NSManagedObjectModel()
    model.entities = ["Note", "NOTE"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      return entity
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = try #require(throws: NSError.self) {
      try coordinator.addPersistentStore(
        type: .xml,
        at: TestSupport.TemporaryFolder.file("Notes.xml")
      )
    }
    #expect(error.localizedFailureReason?.contains("cannot tell the entities") == true)
  }

  @Test func `a file of another type is told from an XML store`() throws {
    let sqlite = try NotesStack(.sqlite)
    #expect(errorCode { try StoreKind.xml.stack(at: try #require(sqlite.file)) } == 259)
    #expect(errorCode { try StoreKind.binary.stack(at: try #require(sqlite.file)) } == 259)
    let xml = try #require(try StoreKind.xml.stack().file)
    #expect(errorCode { try NotesStack(reopening: xml) } == 259)
    #expect(errorCode { try StoreKind.binary.stack(at: xml) } == 259)
  }
}

/// The files of binary stores.
@Suite struct BinaryStoreTests {
  @Test func `a file that ends too early, or is changed, is refused or read, and crashes nothing`()
    throws
  {
    let stack = try StoreKind.binary.stack()
    try stack.work(OtherStoresTests.populate)
    let file = try #require(stack.file)
    let whole = try Data(contentsOf: file)
    #expect(whole.starts(with: Data("open core data binary store 1\n".utf8)))
    for count in stride(from: 1, to: whole.count - 1, by: 211) {
      try whole.prefix(count).write(to: file)
      #expect(errorCode { try StoreKind.binary.stack(at: file) } == 259, "\(count) bytes")
    }
    var dice = Dice(seed: 11)
    for _ in 0..<100 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &dice)] ^=
        1 << UInt8.random(in: 0...7, using: &dice)
      try bytes.write(to: file)
      do {
        let again = try StoreKind.binary.stack(at: file)
        try again.work { context in _ = try context.titles() }
      } catch let error as NSError {
        #expect(error.localizedFailureReason != nil)
      }
    }
  }
}
