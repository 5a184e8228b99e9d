// Pictures in what is pasted: what came along with the text is taken where it stands, nothing is fetched from elsewhere.
//
//   <img src="data:image/png;base64,…">     a file
//   <img src="https://…"> <img src="file:…">  counted, so that it can be said
//   <img alt="😀">                            the sign itself

/// Those that are taken get a number, `data-coming`, by which they are found when they are kept.
export function picturesOf(body) {
  const pictures = [];
  let elsewhere = 0;
  for (const image of body.querySelectorAll("img")) {
    const source = image.getAttribute("src") ?? "";
    const isDot = [image.getAttribute("width"), image.getAttribute("height")].some((size) => size !== null && Number(size) <= 2);
    // One of another note is there already.
    if (/^\/api\/files\//.test(source) || source.startsWith(`${location.origin}/api/files/`)) {
      image.setAttribute("src", source.replace(location.origin, ""));
      continue;
    }
    if (/^\p{Extended_Pictographic}/u.test(image.alt) && image.alt.length <= 12) image.before(image.alt);
    else if (source.startsWith("data:image/") || source.startsWith(`blob:${location.origin}/`)) {
      const coming = image.ownerDocument.createElement("img");
      coming.dataset.coming = String(pictures.push(source.startsWith("data:") ? fileOf(source) : drawn(source)) - 1);
      image.before(coming);
    } else if (source && !isDot) elsewhere += 1;
    image.remove();
  }
  return { pictures, elsewhere };
}

/// A policy that lets nothing be fetched means data: too, so it is read here. Null where it is broken.
function fileOf(address) {
  const [, type, isBase64, data] = /^data:(image\/[\w.+-]+)(?:;[^;,]*)*?(;base64)?,(.*)$/is.exec(address) ?? [];
  try {
    const bytes = isBase64 ? Uint8Array.from(atob(data.trim()), (letter) => letter.charCodeAt(0)) : decodeURIComponent(data);
    return new File([bytes], `pasted.${type.split("/")[1].replace("jpeg", "jpg")}`, { type });
  } catch {
    return null;
  }
}

/// Of a blob of this page; null if it is gone.
async function drawn(address) {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((take) => canvas.toBlob(take));
  return blob && new File([blob], "pasted.png", { type: blob.type });
}
