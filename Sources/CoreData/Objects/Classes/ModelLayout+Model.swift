extension NSManagedObjectModel {
  /// The model as the runtime uses it; asking for it freezes the model.
  package var layout: ModelLayout {
    attachment { schema in
      let layout = ModelLayout(schema, of: self)
      ObjectClass.register(layout)
      // A program without classes, such as the tool, saves no objects of its own.
      for entity in layout.entities where entity.objectClass != NSManagedObject.self {
        Transformation.tellOfUnarchivable(in: entity)
      }
      return layout
    }
  }
}

extension NSEntityDescription {
  /// The entity as the runtime uses it; asking for it freezes the model.
  package var layout: EntityLayout {
    if let known = knownLayout { return known }
    guard let name, let layout = managedObjectModel.layout[name] else {
      stop("the entity \(self.name ?? "(no name)") belongs to no model")
    }
    return layout
  }
}
