import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig, loadEnv } from 'vite';

/** `vite build --mode doi-link`: one file, which other sites load by its name. */
const element: BuildOptions = {
  emptyOutDir: false,
  rolldownOptions: {
    input: 'src/doi-link/doi-link.ts',
    output: { entryFileNames: '[name].js' },
    preserveEntrySignatures: 'strict',
  },
};

export default defineConfig(({ mode }) => {
  const { GATEWAY_URL: target = 'http://localhost:4000' } = loadEnv(mode, '.', 'GATEWAY_');
  return {
    // Relative, so that dist/ can be served from any path.
    base: './',
    plugins: [react()],
    // The package is not published yet: see README.md.
    resolve: {
      alias: {
        'doi-names': fileURLToPath(new URL('../../packages/doi-names/src/index.ts', import.meta.url)),
      },
    },
    build: mode === 'doi-link' ? element : { rolldownOptions: { input: ['index.html', 'doi-link.html'] } },
    server: { proxy: { '/graphql': { target, changeOrigin: true } } },
  };
});
