// The types HandleServer and HandleInterface: where the servers of a site accept requests.

import type { HandleInterface, HandleServer } from '../../handle/typed-data.ts';
import { builder } from '../builder.ts';

const HandleInterfaceType = builder.objectRef<HandleInterface>('HandleInterface').implement({
  description: 'A port at which a handle server accepts requests.',
  fields: (t) => ({
    protocol: t.exposeString('protocol', { description: 'The protocol: `TCP`, `UDP`, `HTTP`, `HTTPS`.' }),
    port: t.exposeInt('port', { description: 'The number of the port: 2641.' }),
    query: t.exposeBoolean('query', { description: 'Whether clients can resolve handles here.' }),
    admin: t.exposeBoolean('admin', { description: 'Whether administrators can change handles here.' }),
  }),
});

export const HandleServerType = builder.objectRef<HandleServer>('HandleServer').implement({
  description: 'A server of a handle service site.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'The IP address: `38.100.138.131`.' }),
    interfaces: t.expose('interfaces', {
      type: [HandleInterfaceType],
      description: 'Where the server accepts requests. An interface without protocol or port is left out.',
    }),
  }),
});
