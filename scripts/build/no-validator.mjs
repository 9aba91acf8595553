// Stands in for the JSON Schema validator of the MCP library in our bundles. Our schemas check themselves,
// and the server asks clients for nothing whose answer it would have to check against a schema.
import process from 'node:process';

export { process };

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('JSON Schemas are not validated here');
  }
}
