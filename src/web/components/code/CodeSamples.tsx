import type { ReactNode } from 'react';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { CopyButton } from '../CopyButton.tsx';
import { Switch } from '../values/Card.tsx';
import { type CodeSample, LANGUAGE_LABELS } from './code-sample.ts';
import './code.css';

interface CodeSamplesProps {
  readonly samples: readonly CodeSample[];
  /** Label of the code without a command to install. Default `Run`. */
  readonly action?: string;
  /** Further choices beside the language. */
  readonly children?: ReactNode;
}

/** The same code in several languages. The chosen language is a preference of the user. */
export function CodeSamples({ samples, action = 'Run', children }: CodeSamplesProps) {
  const { codeLanguage } = usePreferences();
  const sample = samples.find(({ language }) => language === codeLanguage) ?? samples[0]!;
  return (
    <section className="card code-samples" aria-label="Code">
      <header>
        <Switch
          label="Language"
          values={samples.map(({ language }) => [language, LANGUAGE_LABELS[language]])}
          value={sample.language}
          onChange={(language) => setPreference('codeLanguage', language)}
        />
        {children}
      </header>
      {sample.install !== undefined && <Code text={sample.install} label="Install" />}
      <Code text={sample.code} label={sample.install === undefined ? action : 'Run'} />
      {sample.note !== undefined && <p className="muted">{sample.note}</p>}
    </section>
  );
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="code">
      <div className="row">
        <span className="grow muted">{label}</span>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
