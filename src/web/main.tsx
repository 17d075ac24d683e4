import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { FailureBoundary } from './components/Failure.tsx';
import { applyTheme } from './preferences/apply-theme.ts';

applyTheme();
createRoot(document.getElementById('root')!).render(
  <FailureBoundary name="The interface">
    <App />
  </FailureBoundary>,
);
