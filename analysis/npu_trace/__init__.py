"""The FVP's PMU trace walked along Vela's debug database: NPU cycles by operator."""
