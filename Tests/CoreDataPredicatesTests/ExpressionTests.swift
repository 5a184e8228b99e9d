import CoreDataPredicates
import Foundation
import Testing

import class CoreDataPredicates.NSComparisonPredicate
import class CoreDataPredicates.NSExpression

struct ExpressionTests {
  private let title = NSExpression(forKeyPath: "title")
  private let one = NSExpression(forConstantValue: 1)

  @Test func `expressions are made from parts and print themselves`() {
    let expressions: [(NSExpression, String, NSExpression.ExpressionType)] = [
      (one, "1", .constantValue),
      (.expressionForEvaluatedObject(), "SELF", .evaluatedObject),
      (NSExpression(forVariable: "x"), "$x", .variable),
      (NSExpression(forKeyPath: "folder.name"), "folder.name", .keyPath),
      (NSExpression(forFunction: "sum:", arguments: [title]), "sum:(title)", .function),
      (NSExpression(forFunction: "add:to:", arguments: [title, 2]), "title + 2", .function),
      (
        NSExpression(forFunction: "castObject:toType:", arguments: [title, "NSNumber"]),
        #"CAST(title, "NSNumber")"#, .function
      ),
      (
        NSExpression(forFunction: title, selectorName: "hasPrefix:", arguments: ["a"]),
        #"FUNCTION(title, "hasPrefix:", "a")"#, .function
      ),
      (NSExpression(forAggregate: [one, 2, title]), "{1, 2, title}", .aggregate),
      (NSExpression(forUnionSet: title, with: one), "title UNION 1", .unionSet),
      (NSExpression(forIntersectSet: title, with: one), "title INTERSECT 1", .intersectSet),
      (NSExpression(forMinusSet: title, with: one), "title MINUS 1", .minusSet),
      (
        NSExpression(
          forSubquery: NSExpression(forKeyPath: "notes"),
          usingIteratorVariable: "n",
          predicate: NSPredicate(format: "$n.stars > 3")
        ),
        "SUBQUERY(notes, $n, $n.stars > 3)", .subquery
      ),
      (
        NSExpression(
          forConditional: NSPredicate(format: "stars > 3"),
          trueExpression: one,
          falseExpression: title
        ),
        "TERNARY(stars > 3, 1, title)", .conditional
      ),
      (.expressionForAnyKey(), "ANYKEY", .anyKey),
      (NSExpression(format: "%K.length", "title"), "title.length", .keyPath),
      (NSExpression(format: "%@", argumentArray: ["x"]), #""x""#, .constantValue),
      (NSExpression(format: "FETCH($r, $c, YES)"), "FETCH($r, $c, YES)", .fetchRequest),
    ]
    for (expression, printed, type) in expressions {
      #expect(expression.description == printed)
      #expect(expression.expressionType == type)
      #expect(expression.copy() as? NSExpression == expression)
    }
    #expect(Set(expressions.map(\.0)).count == expressions.count)
  }

  @Test func `an expression without parts is made from its type`() {
    let expressions: [NSExpression.ExpressionType] = [.evaluatedObject, .anyKey]
    #expect(expressions.map { NSExpression(expressionType: $0).expressionType } == expressions)
    let object = NSExpression(expressionType: .evaluatedObject)
    object.allowEvaluation()
    #expect(object == .expressionForEvaluatedObject())
  }

  @Test func `expressions give their parts back`() throws {
    let subquery = NSExpression(format: "SUBQUERY(notes, $n, $n.stars > 3)")
    #expect((subquery.collection as? NSExpression)?.keyPath == "notes")
    #expect(subquery.variable == "n")
    #expect(subquery.predicate.description == "$n.stars > 3")
    let sum = NSExpression(format: "1 + title")
    #expect(sum.function == "add:to:")
    #expect(sum.arguments?.last?.keyPath == "title")
    let list = try #require(NSExpression(format: "{1, 2}").collection as? [NSExpression])
    #expect(list.map { $0.constantValue as? Int } == [1, 2])
    let union = NSExpression(format: "a UNION b")
    #expect(union.left.keyPath == "a" && union.right.keyPath == "b")
    let choice = NSExpression(format: "TERNARY(a == 1, b, c)")
    #expect(choice.true.keyPath == "b" && choice.false.keyPath == "c")
    #expect(choice.predicate.description == "a == 1")
    let message = NSExpression(format: "FUNCTION(a, 'hasPrefix:', 'x')")
    #expect(message.operand.keyPath == "a" && message.function == "hasPrefix:")
    let path = NSExpression(format: "$x.a.b")
    #expect(path.function == "valueForKeyPath:" && path.operand.variable == "x")
    #expect(path.arguments?.first?.constantValue as? String == "a.b")
  }

  @Test func `expressions have values`() throws {
    let note: [String: Any] = ["title": "Note", "stars": 4]
    #expect(
      NSExpression(format: "stars * 2").expressionValue(with: note, context: nil) as? Int == 8
    )
    #expect(title.expressionValue(with: note, context: nil) as? String == "Note")
    let list = NSExpression(format: "{stars, title, nil}").expressionValue(with: note, context: nil)
    #expect((list as? [Any])?.last is NSNull)
    let set = NSExpression(format: "{1, 2} UNION {2}").expressionValue(with: nil, context: nil)
    #expect(set as? Set<AnyHashable> == [1, 2])
    #expect((set as? NSSet)?.count == 2)
  }

  @Test func `the context holds variables and takes assignments`() {
    let context = NSMutableDictionary(dictionary: ["x": 2])
    let value = NSExpression(format: "$y := $x + 1").expressionValue(with: nil, context: context)
    #expect(value as? Int == 3)
    #expect(context["y"] as? Int == 3)
  }

  @Test func `a block is called with the object, its arguments and the context`() throws {
    let context = NSMutableDictionary(dictionary: ["x": 2])
    let block = NSExpression(
      block: { object, arguments, context in
        [object ?? "", arguments.count, context?["x"] ?? 0]
      },
      arguments: [title, NSExpression(format: "{1}")]
    )
    let value = block.expressionValue(with: ["title": "A"], context: context) as? [Any]
    #expect(value?[1] as? Int == 2 && value?[2] as? Int == 2)
    #expect(block.expressionType == .block)
    #expect(block.description.hasPrefix("BLOCK(0x"))
  }

  @Test func `objects answer to selectors and fetches through their doors`() throws {
    struct Manager: SelectorPerforming, FetchPerforming {
      func perform(selector: String, with arguments: [Any?]) -> Any?? {
        selector == "notesNamed:" ? .some(["found", arguments[0]]) : nil
      }

      func fetch(_ request: Any, countOnly: Bool) -> Any? {
        countOnly ? 3 : ["\(request)"]
      }
    }
    let context = NSMutableDictionary(dictionary: ["manager": Manager(), "request": "notes"])
    func value(_ format: String) -> Any? {
      NSExpression(format: format).expressionValue(with: nil, context: context)
    }
    #expect(
      Constant(value("FUNCTION($manager, 'notesNamed:', 'A')")) == Constant(["found", "A"])
    )
    #expect(value("FETCH($request, $manager, YES)") as? Int == 3)
    #expect(Constant(value("FETCH($request, $manager, NO)")) == Constant(["notes"]))
  }

  @Test func `key paths of named classes become keys`() {
    #expect(NSExpression(forKeyPath: \NamedNote.folder.name).keyPath == "folder.name")
  }
}

/// A note whose class knows the names of its Swift key paths.
final class NamedNote: KeyPathNaming {
  final class Folder {
    let name: String
    init(_ name: String) { self.name = name }
  }

  let title: String?
  let stars: Int
  let folder: Folder

  init(_ title: String?, stars: Int = 0, folder: String = "") {
    self.title = title
    self.stars = stars
    self.folder = Folder(folder)
  }

  static func name(of keyPath: AnyKeyPath) -> String? {
    switch keyPath {
    case \NamedNote.title: "title"
    case \NamedNote.stars: "stars"
    case \NamedNote.folder.name: "folder.name"
    default: nil
    }
  }
}
