import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  const { GATEWAY_URL: target = 'http://localhost:4000' } = loadEnv(mode, '.', 'GATEWAY_');
  return {
    // Relative, so that dist/ can be served from any path.
    base: './',
    plugins: [react()],
    server: { proxy: { '/graphql': { target, changeOrigin: true } } },
  };
});
