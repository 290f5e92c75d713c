// Takes the README's picture of GraphiQL: `npm run screenshots` writes docs/graphiql.png.

import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test/support/chromium.ts';
import { startGateway } from '../test/support/gateway.ts';

const picture = fileURLToPath(new URL('../docs/graphiql.png', import.meta.url));

const gateway = await startGateway();
const browser = await launchChromium();
try {
  const page = await browser.newPage({
    viewport: { width: 1400, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(`${gateway.url}/graphql`);
  // Coloured by the schema-aware worker: the editor is ready.
  await page.locator('.graphiql-query-editor .view-lines').getByText('utf8Hex').waitFor();
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response .view-lines').getByText('utf8Hex').waitFor();
  // Away from the button, whose tooltip would cover the query.
  await page.mouse.move(1050, 750);
  await page.locator('.graphiql-spinner').waitFor({ state: 'detached' });
  await page.locator('[data-radix-popper-content-wrapper]').waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: picture, animations: 'disabled', caret: 'hide' });
  console.log(picture);
} finally {
  await browser.close();
  await gateway.close();
}
