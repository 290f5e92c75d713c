import { JSONResolver } from 'graphql-scalars';
import { builder } from './builder.ts';

/** Passed through: a time that came over the wire keeps its text, which Date would reprint. */
builder.scalarType('DateTime', {
  description:
    'A moment in RFC 3339, such as "2020-07-29T04:52:30Z". A time that came from the directory keeps its text.',
  serialize: (time) => time,
});

builder.addScalarType('JSON', JSONResolver, {
  description: 'Any JSON value. Used only where the directory itself sends open-ended structures.',
});
