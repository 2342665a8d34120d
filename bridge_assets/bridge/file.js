/** Files that the user picks, as data URIs that travel inside tool arguments. */

/** @import { FileFault } from "./errors.js" */
/** @import { FileChoice } from "./view.js" */

import { FileError } from "./errors.js";

/**
 * Whether a file matches one of the rules, `image/png`, `image/*` or `.png`, in any case.
 * @internal
 * @param {{ name: string, type: string }} file
 * @param {string[]} rules No rules take any file.
 */
export const accepts = ({ name, type }, rules) =>
  !rules.length ||
  rules.some((rule) => {
    const wanted = rule.toLowerCase();
    if (wanted[0] == ".") return name.toLowerCase().endsWith(wanted);
    return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type == wanted;
  });

/** @param {File} file @returns {Promise<string>} */
const encode = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onloadend = () =>
      reader.error
        ? reject(reader.error)
        : resolve(`${reader.result}`.replace(";base64", `;name=${encodeURIComponent(file.name)}$&`));
    reader.readAsDataURL(file);
  });

/** @type {(reason: FileFault["reason"], details?: object) => never} */
const refuse = (reason, details) => {
  throw new FileError(reason, { reason, ...details });
};

/**
 * Let the user choose any number of files; needs a user gesture.
 * @param {FileChoice} [choice]
 * @param {boolean} [multiple]
 * @returns {Promise<string[]>} `data:TYPE;name=NAME;base64,DATA` for each file. Rejects with `FileError`.
 */
export const selectFiles = async ({ accept = [], maxSize } = {}, multiple = true) => {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", hidden: true, multiple, accept });
  // Some browsers forget an input that is in no document.
  document.body.append(input);
  await new Promise((resolve) => {
    input.onchange = input.oncancel = resolve;
    input.click();
  });
  input.remove();
  const files = [...(input.files ?? [])];
  if (!files.length) refuse("cancelled");
  for (const file of files) {
    const { size, type: mediaType } = file;
    if (size > /** @type {number} */ (maxSize)) refuse("file_too_large", { size, maxSize });
    if (!accepts(file, accept)) refuse("file_type_not_accepted", { mediaType, accept });
  }
  return Promise.all(files.map(encode));
};

/**
 * Let the user choose one file; needs a user gesture.
 * @param {FileChoice} [choice]
 * @returns {Promise<string>} `data:TYPE;name=NAME;base64,DATA`. Rejects with `FileError`.
 */
export const selectFile = async (choice) => (await selectFiles(choice, false))[0];
