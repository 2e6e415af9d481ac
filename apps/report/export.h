/// Pictures of pages: a headless Chromium draws a view by the page's own program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aiwc::report {

enum class PictureFormat { kSvg, kPng, kPdf };

/// The format that the ending of a file's name asks for; none for any other name.
std::optional<PictureFormat> pictureFormatOf(std::string_view file);

/// The picture of the view `name` of a page, as the content of a file: an SVG that follows the
/// light or dark theme of whoever shows it, or a PNG or PDF in light colours. A PNG has two pixels
/// per unit of the SVG; the sheet of a PDF is as large as the picture. Takes one or two starts of
/// the browser, about a second each. Uses a temporary folder, which it removes, and no shell.
/// Throws Error if there is no browser, if it fails or takes longer than a minute, or if the view
/// has nothing to show.
std::string picture(std::string_view page, std::string_view name, PictureFormat format);

} // namespace aiwc::report
