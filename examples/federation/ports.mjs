// Where the parts are; variables of the same names move them, and 0 is any free port.
export const {
  PORT = '4010',
  CATALOG_PORT = '4011',
  REVIEWS_PORT = '4012',
  DOI_GATEWAY_PORT = '4013',
} = process.env;

export const urlAt = (port) => `http://127.0.0.1:${port}/graphql`;
