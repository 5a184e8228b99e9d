import Testing

@testable import SwiftDataExpansion

struct ModelExpansionTests {
  @Test func aClassGetsItsBackingDataSchemaAndInitializer() {
    let expansion = MacroRequests.members(
      of: """
        @Model public final class Note {
          @Attribute(.unique, originalName: "name") public var title: String
          var stars = 0
          let code: String
          @Relationship(deleteRule: .cascade, inverse: \\Tag.note) var tags: [Tag] = []
          public init(title: String) {}
        }
        """
    )
    #expect(expansion.diagnostics == [])
    #expect(
      expansion.source == """
        private var _$backingData = SwiftData._ModelBacking(Note.self)
        public nonisolated static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
          var _$list: [SwiftData.Schema.PropertyMetadata] = []
          _$list += [SwiftData.Schema.PropertyMetadata(name: "title", keypath: \\Note.title, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.unique, originalName: "name"))]
          _$list += [SwiftData.Schema.PropertyMetadata(name: "stars", keypath: \\Note.stars, defaultValue: (0) as Int, metadata: nil)]
          _$list += [SwiftData.Schema.PropertyMetadata(name: "code", keypath: \\Note.code, defaultValue: nil, metadata: nil, isConstant: true)]
          _$list += [SwiftData.Schema.PropertyMetadata(name: "tags", keypath: \\Note.tags, defaultValue: ([]) as [Tag], metadata: SwiftData.Schema.Relationship(deleteRule: .cascade, inverse: \\Tag.note))]
          return _$list
        }
        public typealias _$ModelRoot = Note
        public required init(backingData: any SwiftData.BackingData<Note>) {
          self._title = SwiftData._SwiftDataNoType()
          self.code = _$backingData.constant(0, 0x0bb51791194b4414, "code", (String).self, of: backingData)
          _$backingData.adopt(backingData, Note.self)
        }
        public var persistentBackingData: any SwiftData.BackingData<Note> {
          get { _$backingData.backingData(for: Note.self) }
          set { _$backingData.adopt(newValue, Note.self) }
        }
        """
    )
  }

  @Test func aSubclassOfAModelOverridesAndHasNoConformanceOfItsOwn() {
    let source = "@Model class Memo: Note { var text = \"\"; init() {} }"
    let expansion = MacroRequests.members(of: source, missing: [])
    #expect(
      expansion.source == """
        private var _$backingData = SwiftData._ModelBacking(Memo.self)
        nonisolated override class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
          var _$list: [SwiftData.Schema.PropertyMetadata] = []
          _$list += [SwiftData.Schema.PropertyMetadata(name: "text", keypath: \\Memo.text, defaultValue: ("") as String, metadata: nil)]
          return _$list
        }
        nonisolated override class var _schemaConstraints: [SwiftData._SchemaConstraint] { [] }
        required init(backingData: any SwiftData.BackingData<_$ModelRoot>) {
          _$backingData.adopt(backingData, Memo.self)
          super.init(backingData: backingData)
        }
        """
    )
    let conformances = MacroRequests.expansion("ModelMacro", "extension", of: source, missing: [])
    #expect(conformances.source == "")
  }

  @Test func theExtensionTakesTheNameThatTheCompilerGives() {
    let expansion = MacroRequests.expansion(
      "ModelMacro",
      "extension",
      of: "@Model final class Note { init() {} }"
    )
    #expect(
      expansion.source
        == "extension Library.Note: nonisolated SwiftData.PersistentModel, nonisolated Observation.Observable {}"
    )
  }

  @Test func aClassThatDeclaresTheConformanceItselfIsNotTakenForASubclass() {
    let expansion = MacroRequests.members(
      of: "@Model final class Note: SwiftData.PersistentModel { init() {} }",
      missing: ["Observable"]
    )
    #expect(expansion.source.contains("typealias _$ModelRoot = Note"))
    #expect(!expansion.source.contains("override"))
  }

  @Test func uniqueAndIndexBecomeConstraintsOfTheClass() {
    let expansion = MacroRequests.members(
      of: """
        @Model final class Note {
          #Unique<Note>([\\.title], [\\.title, \\.stars])
          #Index<Note>(.binary([\\.title]), .rtree([\\.x, \\.y]))
          init() {}
        }
        """
    )
    #expect(
      expansion.source.contains(
        """
          _$list += SwiftData._SchemaConstraint.unique(Note.self, [\\.title], [\\.title, \\.stars])
          _$list += SwiftData._SchemaConstraint.index(Note.self, .binary([\\.title]), .rtree([\\.x, \\.y]))
        """
      )
    )
  }

  @Test func aPropertyUnderAConditionIsInTheSchemaUnderTheSameCondition() {
    let expansion = MacroRequests.members(
      of: """
        @Model final class Note {
          #if swift(>=6.0) && DEBUG
          var debug: Int
          #elseif os(macOS)
          var mac = 1
          #else
          var other = 1
          #endif
          #if os(Linux)
          var linux = 1
          #endif
          init() {}
        }
        """
    )
    #expect(
      expansion.source.contains(
        "#if (swift(>=6.0) && DEBUG)\n_$list += [SwiftData.Schema.PropertyMetadata(name: \"debug\""
      )
    )
    #expect(
      expansion.source.contains(
        "#if (swift(>=6.0) && DEBUG)\nself._debug = SwiftData._SwiftDataNoType()\n#endif"
      )
    )
    #expect(!expansion.source.contains("\"mac\""))
    #expect(expansion.source.contains("#if !(swift(>=6.0) && DEBUG)"))
    #expect(
      expansion.source.contains("  _$list += [SwiftData.Schema.PropertyMetadata(name: \"linux\"")
    )
  }

  @Test func anAttributeUnderAConditionCountsUnderIt() {
    let source = MacroRequests.members(
      of: """
        @Model final class Note {
          #if canImport(SwiftData)
          @Attribute(.unique)
          #endif
          var a = 1
          init() {}
        }
        """
    ).source
    #expect(
      source.contains(
        """
          #if (canImport(SwiftData))
        _$list += [SwiftData.Schema.PropertyMetadata(name: "a", keypath: \\Note.a, defaultValue: (1) as Int, metadata: SwiftData.Schema.Attribute(.unique))]
        #endif
          #if !((canImport(SwiftData)))
        _$list += [SwiftData.Schema.PropertyMetadata(name: "a", keypath: \\Note.a, defaultValue: (1) as Int, metadata: nil)]
        #endif
        """
      )
    )
  }

  @Test func anOpenClassHasMembersThatSubclassesOfOtherModulesOverride() {
    let source = MacroRequests.members(of: "@Model open class Note { public init() {} }").source
    #expect(source.contains("open nonisolated class var schemaMetadata"))
    #expect(source.contains("open nonisolated class var _schemaConstraints"))
    #expect(source.contains("public required init(backingData: any SwiftData.BackingData<Note>)"))
  }

  @Test func aStoredVariableGetsItsPlaceByTheOrderOfNames() {
    let parent = """
      @Model final class Note {
        let id = UUID()
        var b = 1, headline: String { "" }
        @Transient var a = 2
        static var all = 3
        var c: Int
        init() {}
      }
      """
    let attributes = ["let id = UUID()", "var c: Int", "@Transient var a = 2", "init() {}"].map {
      MacroRequests.expansion("ModelMacro", "memberAttribute", of: $0, in: parent).source
    }
    #expect(attributes == ["", "", "", ""])
    let whole = parent.replacing("var b = 1, headline: String { \"\" }", with: "var b = 1")
    let places = ["let id = UUID()", "var b = 1", "var c: Int", "@Transient var a = 2"].map {
      MacroRequests.expansion("ModelMacro", "memberAttribute", of: $0, in: whole).source
    }
    #expect(
      places == ["", "@SwiftData._PersistedProperty(0)", "@SwiftData._PersistedProperty(1)", ""]
    )
  }

  @Test func accessorsNameTheSlotAndTheType() {
    let expansion = MacroRequests.expansion(
      "PersistedPropertyMacro",
      "accessor",
      of: "@Attribute(.unique) public private(set) var title: String!",
      attribute: "@SwiftData._PersistedProperty(3)"
    )
    #expect(
      expansion.source == """
        @storageRestrictions(accesses: _$backingData, initializes: _title)
        init(initialValue) {
          _$backingData.start(3, 0xda31296c0c1b6029, "title", initialValue)
          _title = SwiftData._SwiftDataNoType()
        }
        get { _$backingData[self, 3, 0xda31296c0c1b6029, "title", (String?).self] }
        set { _$backingData[self, 3, 0xda31296c0c1b6029, "title", (String?).self] = newValue }
        """
    )
    let storage = MacroRequests.expansion("PersistedPropertyMacro", "peer", of: "var `class` = 1")
    #expect(storage.source == "private var _class: SwiftData._SwiftDataNoType")
  }

  @Test func aTypeThatOnlyTheCompilerKnowsIsTakenFromTheKeyPath() {
    let source = MacroRequests.expansion(
      "PersistedPropertyMacro",
      "accessor",
      of: "var `default` = mood()"
    ).source
    #expect(source.contains("\"default\", SwiftData._type(of: self, \\.`default`)] }"))
  }

  @Test func aTransformableValueMayBeOfAnyType() {
    let source = MacroRequests.expansion(
      "PersistedPropertyMacro",
      "accessor",
      of: "@Attribute(.transformable(by: ColorTransformer.self)) var color: NSColor"
    ).source
    #expect(source.contains("_$backingData.start(transformable: 0, "))
    #expect(source.contains("get { _$backingData[transformable: self, 0, "))
  }

  @Test func aModelActorGetsItsExecutorContainerAndInitializer() {
    let source = MacroRequests.expansion(
      "ModelActorMacro",
      "member",
      of: "@ModelActor public actor Importer { init(modelContainer: ModelContainer, size: Int) {} }"
    ).source
    #expect(
      source == """
        public nonisolated let modelExecutor: any SwiftData.ModelExecutor
        public nonisolated let modelContainer: SwiftData.ModelContainer
        public init(modelContainer: SwiftData.ModelContainer) {
          let context = SwiftData.ModelContext(modelContainer)
          self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: context)
          self.modelContainer = modelContainer
        }
        """
    )
    let own = MacroRequests.expansion(
      "ModelActorMacro",
      "member",
      of: "@ModelActor actor Importer { init(modelContainer: ModelContainer) {} }"
    ).source
    #expect(!own.contains("init("))
  }

  @Test func macrosThatOnlyTellSomethingExpandToNothing() {
    for macro in ["AttributeMacro", "RelationshipMacro", "TransientMacro"] {
      #expect(MacroRequests.expansion(macro, "peer", of: "var a = 1") == Expansion())
    }
    var expander = MacroExpander()
    let answer = expander.answer(to: Array(#"{"expandFreestandingMacro":{"macro":{}}}"#.utf8))
    #expect(answer == Expansion().answer)
  }
}
