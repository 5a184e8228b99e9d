import CoreDataWebServer
import Foundation

/// The pages, which are in the program itself: a `coredata` that was copied somewhere has them, too.
enum StudioPages {
  private static let script = "text/javascript; charset=utf-8"
  private static let style = "text/css; charset=utf-8"

  private struct Page {
    let path: String
    let type: String
    let bytes: [UInt8]
  }

  private static let pages = [
    Page(path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    Page(path: "/icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
    Page(path: "/studio.css", type: style, bytes: PackageResources.studio_css),
    Page(path: "/table.css", type: style, bytes: PackageResources.table_css),
    Page(path: "/card.css", type: style, bytes: PackageResources.card_css),
    Page(path: "/health.css", type: style, bytes: PackageResources.health_css),
    Page(path: "/editing.css", type: style, bytes: PackageResources.editing_css),
    Page(path: "/narrow.css", type: style, bytes: PackageResources.narrow_css),
    Page(path: "/app.js", type: script, bytes: PackageResources.app_js),
    Page(path: "/card.js", type: script, bytes: PackageResources.card_js),
    Page(path: "/cells.js", type: script, bytes: PackageResources.cells_js),
    Page(path: "/changes.js", type: script, bytes: PackageResources.changes_js),
    Page(path: "/completion.js", type: script, bytes: PackageResources.completion_js),
    Page(path: "/difference.js", type: script, bytes: PackageResources.difference_js),
    Page(path: "/edit.js", type: script, bytes: PackageResources.edit_js),
    Page(path: "/editor.js", type: script, bytes: PackageResources.editor_js),
    Page(path: "/field.js", type: script, bytes: PackageResources.field_js),
    Page(path: "/figures.js", type: script, bytes: PackageResources.figures_js),
    Page(path: "/grid.js", type: script, bytes: PackageResources.grid_js),
    Page(path: "/health.js", type: script, bytes: PackageResources.health_js),
    Page(path: "/history.js", type: script, bytes: PackageResources.history_js),
    Page(path: "/inspector.js", type: script, bytes: PackageResources.inspector_js),
    Page(path: "/job.js", type: script, bytes: PackageResources.job_js),
    Page(path: "/options.js", type: script, bytes: PackageResources.options_js),
    Page(path: "/past.js", type: script, bytes: PackageResources.past_js),
    Page(path: "/pending.js", type: script, bytes: PackageResources.pending_js),
    Page(path: "/picker.js", type: script, bytes: PackageResources.picker_js),
    Page(path: "/picture.js", type: script, bytes: PackageResources.picture_js),
    Page(path: "/place.js", type: script, bytes: PackageResources.place_js),
    Page(path: "/places.js", type: script, bytes: PackageResources.places_js),
    Page(path: "/png.js", type: script, bytes: PackageResources.png_js),
    Page(path: "/questions.js", type: script, bytes: PackageResources.questions_js),
    Page(path: "/refill.js", type: script, bytes: PackageResources.refill_js),
    Page(path: "/rows.js", type: script, bytes: PackageResources.rows_js),
    Page(path: "/side.js", type: script, bytes: PackageResources.side_js),
    Page(path: "/sql.js", type: script, bytes: PackageResources.sql_js),
    Page(path: "/table.js", type: script, bytes: PackageResources.table_js),
    Page(path: "/view.js", type: script, bytes: PackageResources.view_js),
    // These are Look's: the pages of the other programs have them, too.
    Page(path: "/look/look.css", type: style, bytes: PackageResources.look_css),
    Page(path: "/look/page.js", type: script, bytes: PackageResources.page_js),
    Page(path: "/look/tokens.css", type: style, bytes: PackageResources.tokens_css),
  ]

  static func add(to router: inout Router) {
    for page in pages {
      router.get(page.path) { _ in
        .data(Data(page.bytes), contentType: page.type).with("Cache-Control", "no-cache")
      }
    }
  }
}
