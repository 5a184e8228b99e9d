// swift-format-ignore-file
import CoreData

extension Keyword {

    var name: String {
        get { name_ ?? "" }
        set { name_ = newValue }
    }

    convenience init(name: String, context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }

    var notes: Set<Note> {
        get { (notes_ as? Set<Note>) ?? [] }
        set { notes_ = newValue as NSSet }
    }

    var color: Color {
        get {
            Color(red: red_, green: green_, blue: blue_, opacity: opacity_)
        }
        set {
            guard let components = newValue.cgColor?.components,
                    components.count > 2 else { return }
            red_ = components[0]
            green_ = components[1]
            blue_ = components[2]
            if components.count == 4 {
                opacity_ = components[3]
            } else {
                opacity_ = 1
            }
        }
   }
}
