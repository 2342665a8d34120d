// @ts-check
/** From a JSON Schema of arguments to the fields of a form. */

/** @typedef {import("./protocol.js").Json} Json */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} hint
 * @property {boolean} required
 * @property {"text" | "integer" | "number" | "boolean" | "choice" | "json"} kind
 * @property {unknown[]} choices values of a `choice`
 * @property {unknown} initial
 */

/**
 * Returns one field for each property. What is no string, number, boolean or enum is a field for
 * JSON.
 *
 * @param {any} schema
 * @returns {Field[]}
 */
export function fieldsOf(schema) {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) => {
    const plain = simplify(property, schema, 8);
    const choices = choicesOf(plain);
    return {
      name,
      hint: typeof plain.description === "string" ? plain.description : "",
      required: required.includes(name),
      kind: choices ? "choice" : kindOf(plain),
      choices: choices ?? [],
      initial: "default" in plain ? plain.default : undefined,
    };
  });
}

/**
 * Returns the value of what was typed; undefined leaves the argument out.
 *
 * @param {Field} field
 * @param {string | boolean} typed
 * @throws {Error} it is no value of the field
 */
export function valueOf(field, typed) {
  if (typeof typed === "boolean") return typed;
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
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Follows a local `$ref`, and takes the one alternative that is not null.
 *
 * @param {any} property
 * @param {any} schema
 * @param {number} depth
 * @returns {Json}
 */
function simplify(property, schema, depth) {
  if (!isObject(property) || depth === 0) return {};
  if (typeof property.$ref === "string" && property.$ref.startsWith("#/")) {
    const found = property.$ref.slice(2).split("/").reduce((at, key) => at?.[key], schema);
    return { ...simplify(found, schema, depth - 1), ...without(property, "$ref") };
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    if (!Array.isArray(property[key])) continue;
    const others = property[key].filter((/** @type {any} */ one) => one?.type !== "null");
    if (others.length !== 1) return without(property, "type");
    return { ...simplify(others[0], schema, depth - 1), ...without(property, key) };
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
      return types[0];
    default:
      return "json";
  }
}
