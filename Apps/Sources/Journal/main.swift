import CoreData
import Foundation

// A diary in a terminal: code as it was written for Xcode, ported with `coredata port`.
//
//   journal STORE                              the entries by day
//   journal STORE add TEXT [PLACE …]           a new one, at places
//   journal STORE delete NUMBER                one of them, by its number in the list

/// Says what happens to the list.
final class Reporter: EntriesControllerDelegate {
  func entriesDidChange(_ controller: EntriesController) {}

  func entries(_ controller: EntriesController, didReport change: String) {
    print(change)
  }
}

func show(_ controller: EntriesController) {
  var number = 0
  for section in controller.sections {
    print(section.title)
    for entry in section.entries {
      number += 1
      let places = (entry.places as? Set<Place> ?? []).compactMap(\.name).sorted()
      let suffix = places.isEmpty ? "" : " @ \(places.joined(separator: ", "))"
      print("  \(number)  \(entry.text ?? "") (\(entry.wordCount))\(suffix)")
    }
  }
}

func run(_ words: [String]) throws {
  // A word that was mistyped opens no store, and an entry has a text.
  let isAct = words.count > 2 && ["add", "delete"].contains(words[1]) && !words[2].isEmpty
  guard let store = words.first, !store.isEmpty, !store.hasPrefix("-"), words.count == 1 || isAct
  else {
    print("usage: journal STORE [add TEXT [PLACE …] | delete NUMBER]")
    return
  }
  CoreDataStack.storeURL = URL(filePath: store)
  let controller = EntriesController()
  let reporter = Reporter()
  controller.delegate = reporter
  try controller.load()
  switch words.dropFirst().first {
  case "add":
    _ = controller.add(
      words.dropFirst(2).first ?? "",
      mood: .calm,
      places: Array(words.dropFirst(3))
    )
  case "delete":
    let entries = controller.sections.flatMap(\.entries)
    guard let number = words.dropFirst(2).first.flatMap({ Int($0) }),
      entries.indices.contains(number - 1)
    else {
      print("there is no such entry; the list has their numbers")
      return
    }
    controller.delete(entries[number - 1])
  default:
    break
  }
  show(controller)
}

try run(Array(CommandLine.arguments.dropFirst()))
