import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes `sbom.cdx.json`, the list of what is bundled, in CycloneDX 1.6. It has no date and no number of its own, so that
 * the same sources make the same package.
 * @param {ReturnType<import('./bundled-packages.mjs').bundledPackages>} packages
 */
export function writeComponentList(root, outdir, packages) {
  const own = component(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), 'application')
  const components = [
    ...packages.map(({ manifest, integrity }) => ({
      ...component(manifest, 'library'),
      ...(integrity && { hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }] }),
    })),
    sqlite(root),
  ]
  const list = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  }
  writeFileSync(join(outdir, 'sbom.cdx.json'), `${JSON.stringify(list, null, 2)}\n`)
}

function component({ name, version, license }, type) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  // One licence goes by its id, several in an expression.
  const licenses = [/\s/.test(license) ? { expression: license } : { license: { id: license } }]
  return { type, 'bom-ref': purl, name, version, licenses, purl }
}

const hexOf = (integrity) => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')

/** In the binaries, as better-sqlite3 brings it. */
function sqlite(root) {
  const header = join(root, 'node_modules', 'better-sqlite3', 'deps', 'sqlite3', 'sqlite3.h')
  const [, version] = /^#define SQLITE_VERSION\s+"(.*)"/m.exec(readFileSync(header, 'utf8'))
  return {
    type: 'library',
    'bom-ref': `pkg:generic/sqlite@${version}`,
    name: 'sqlite',
    version,
    licenses: [{ license: { id: 'blessing' } }],
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/sqlite@${version}`,
  }
}
