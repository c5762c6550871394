// Rules of the phone: strict types, and nothing that time, chance, the network or a component could remember.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const OUTSIDE = 'The phone is a pure function of its state: take this from the state or from ctx.';

const globals = ['fetch', 'XMLHttpRequest', 'WebSocket', 'localStorage', 'sessionStorage', 'indexedDB', 'setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback', 'queueMicrotask', 'performance', 'crypto'];

const properties = [
  ['Date', 'now'],
  ['Math', 'random'],
  ...['setTimeout', 'setInterval', 'requestAnimationFrame', 'fetch', 'localStorage', 'sessionStorage', 'indexedDB'].flatMap((name) => [
    ['window', name],
    ['globalThis', name],
  ]),
].map(([object, property]) => ({ object, property, message: OUTSIDE }));

const syntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: OUTSIDE },
  { selector: "CallExpression[callee.name='Date']", message: OUTSIDE },
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is set as text.' },
  { selector: "Property[key.name='dangerouslySetInnerHTML']", message: 'Text is set as text.' },
  { selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]", message: 'Text is set as text.' },
  { selector: "MemberExpression[property.name=/^toLocale(Date|Time)?String$/]", message: 'Use kernel/dates: the host locale is not the phone locale.' },
];

const hooks = ['useState', 'useReducer', 'useEffect', 'useLayoutEffect', 'useRef', 'useMemo', 'useCallback', 'useId'];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: 'error',
      'no-restricted-globals': ['error', ...globals.map((name) => ({ name, message: OUTSIDE }))],
      'no-restricted-properties': ['error', ...properties],
      'no-restricted-syntax': ['error', ...syntax],
      'no-restricted-imports': ['error', { paths: [{ name: 'preact/hooks', importNames: hooks, message: 'Components keep no state: put it in PhoneState.' }] }],
    },
  },
  { files: ['build.mjs', '*.config.{js,ts}'], languageOptions: { globals: { console: 'readonly', process: 'readonly' } } },
  { files: ['kernel/hand.ts', 'main.tsx'], rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' } },
);
