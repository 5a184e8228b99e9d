// swift-format-ignore-file
import CoreData
import Foundation

struct NamedColor: Equatable {
    var name: String {
        didSet {
            if let _entityRef = entityRef {
                _entityRef.colorName = name
                try! _entityRef.managedObjectContext?.save() // Linux: no application's delegate saves
            }
        }
    }
    var color: Color
    var entityRef: NamedColorEntity?

    init(name: String, color: Color) {
        self.name = name
        self.color = color
    }
}

// Linux: UIKit's UIColor, as far as the document uses it.
struct Color: Equatable {
    let red: Float, green: Float, blue: Float

    static func colorFromNSNumbers(redComponent: NSNumber, greenComponent: NSNumber, blueComponent: NSNumber) -> Color {
        Color(red: redComponent.floatValue, green: greenComponent.floatValue, blue: blueComponent.floatValue)
    }

    func getRGB() -> (redComponent: NSNumber, greenComponent: NSNumber, blueComponent: NSNumber) {
        (NSNumber(value: red), NSNumber(value: green), NSNumber(value: blue))
    }
}
