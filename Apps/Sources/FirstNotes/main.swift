import CoreData

let container = NSPersistentContainer(name: "Notes")
container.loadPersistentStores { _, error in
  if let error { fatalError("\(error)") }
}
let context = container.viewContext

let ideas = Folder(context: context)
ideas.name = "Ideas"
for (title, stars) in [("Faults", 3), ("Snapshots", 5), ("Slots", 0)] {
  let note = Note(context: context)
  note.title = title
  note.stars = Int16(stars)
  note.folder = ideas
}
try context.save()

let request: NSFetchRequest<Note> = Note.fetchRequest()
request.predicate = NSPredicate(format: "folder.name == %@ AND stars > 0", "Ideas")
request.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
for note in try context.fetch(request) {
  print(note.title ?? "Untitled", note.stars)
}
