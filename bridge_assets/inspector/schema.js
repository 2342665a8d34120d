// @ts-check
/** From a JSON Schema of arguments to the fields of a form. */

/** @typedef {import("./protocol.js").Json} Json */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} hint
 * @property {boolean} required
 * @property {"text" | "integer" | "number" | "boolean" | "choice" | "object" | "array" | "json"} kind
 * @property {unknown[]} choices values of a `choice`
 * @property {Field[]} fields of an `object`
 * @property {Field | null} item of an `array`
 * @property {unknown} initial
 */

const DEPTH_MAX = 6;

/**
 * Returns one field for each property. What no form can show is a field for JSON.
 *
 * @param {any} schema
 * @returns {Field[]}
 */
export function fieldsOf(schema) {
  return propertiesOf(schema, schema, DEPTH_MAX);
}

/** @param {any} object @param {any} root @param {number} depth @returns {Field[]} */
function propertiesOf(object, root, depth) {
  const properties = isObject(object?.properties) ? object.properties : {};
  const required = Array.isArray(object?.required) ? object.required : [];
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, root, required.includes(name), depth));
}

/**
 * @param {string} name
 * @param {any} property
 * @param {any} root
 * @param {boolean} required
 * @param {number} depth
 * @returns {Field}
 */
function fieldOf(name, property, root, required, depth) {
  const plain = simplify(property, root, 8);
  const choices = choicesOf(plain);
  const kind = choices ? "choice" : kindOf(plain);
  /** @type {Field} */
  const field = {
    name,
    hint: typeof plain.description === "string" ? plain.description : "",
    required,
    kind,
    choices: choices ?? [],
    fields: [],
    item: null,
    initial: "default" in plain ? plain.default : undefined,
  };
  if (kind === "object") field.fields = depth > 0 ? propertiesOf(plain, root, depth - 1) : [];
  if (kind === "array" && depth > 0 && isObject(plain.items)) field.item = fieldOf("", plain.items, root, true, depth - 1);
  const shown = kind === "object" ? field.fields.length > 0 : kind === "array" ? field.item !== null : true;
  return shown ? field : { ...field, kind: "json" };
}

/**
 * Returns the value of what was typed; undefined leaves the argument out.
 *
 * @param {Field} field
 * @param {string} typed
 * @throws {Error} it is no value of the field
 */
export function valueOf(field, typed) {
  if (typed === "" && !(field.required && field.kind === "text")) return undefined;
  switch (field.kind) {
    case "choice":
      return field.choices[Number(typed)];
    case "integer":
    case "number": {
      const number = Number(typed);
      if (!Number.isFinite(number)) throw new Error("is not a number");
      if (field.kind === "integer" && !Number.isInteger(number)) throw new Error("is not a whole number");
      return number;
    }
    case "json":
      return JSON.parse(typed);
    default:
      return typed;
  }
}

/** @param {unknown} value @returns {value is Json} */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Follows a local `$ref`, and takes the one alternative that is not null.
 *
 * @param {any} property
 * @param {any} root
 * @param {number} depth
 * @returns {Json}
 */
function simplify(property, root, depth) {
  if (!isObject(property) || depth === 0) return {};
  if (typeof property.$ref === "string" && property.$ref.startsWith("#/")) {
    const found = property.$ref.slice(2).split("/").reduce((at, key) => at?.[key], root);
    return { ...simplify(found, root, depth - 1), ...without(property, "$ref") };
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    if (!Array.isArray(property[key])) continue;
    const others = property[key].filter((/** @type {any} */ one) => one?.type !== "null");
    if (others.length !== 1) return without(property, "type");
    return { ...simplify(others[0], root, depth - 1), ...without(property, key) };
  }
  return property;
}

/** @param {Json} object @param {string} key */
function without(object, key) {
  const { [key]: _, ...rest } = object;
  return rest;
}

/** @param {Json} property @returns {unknown[] | null} */
function choicesOf(property) {
  if (Array.isArray(property.enum)) return property.enum.filter((value) => value !== null);
  return "const" in property ? [property.const] : null;
}

/** @param {Json} property @returns {Field["kind"]} */
function kindOf(property) {
  const types = [property.type].flat().filter((type) => type !== "null");
  if (types.length !== 1) return "json";
  switch (types[0]) {
    case "string":
      return "text";
    case "integer":
    case "number":
    case "boolean":
    case "object":
    case "array":
      return types[0];
    default:
      return "json";
  }
}
