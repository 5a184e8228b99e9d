print("compile-data-model")
